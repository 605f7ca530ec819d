import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestCertificate } from '../../support/world/Fixtures.ts';
import type { MachineClient } from '../../support/clients/machineClient.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { Sharing } from '../../support/feed/sharing.ts';

const guesses = Number(process.env['GUESSED_CODES'] ?? 400);
const addresses = 40;
const callers = 16;
const liveCodes = 20;
const raised = [
  'requests_per_minute',
  'concurrent_requests',
  'link_code_redemptions_per_hour',
  'link_code_redemptions_per_ip_per_15_minutes',
];

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

const guess = (machine: MachineClient) =>
  machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code: String(randomInt(10 ** 10)).padStart(10, '0') }, describe: false });

/** The same client from many source addresses. */
function fromEverywhere(certificate: TestCertificate): MachineClient[] {
  return Array.from({ length: addresses }, (_, index) => world.connect(certificate, world.api, { localAddress: `127.0.0.${index + 10}` }));
}

test(`${guesses} guessed codes from ${addresses} addresses find none of ${liveCodes} live ones, with every limit raised`, async () => {
  const { client, certificate, machine } = await world.backEnd();
  for (const quota of raised) await world.fixtures.override(client, quota, 1_000_000);
  const codes = await Promise.all(Array.from({ length: liveCodes }, () => sharing.code(client)));
  const attackers = fromEverywhere(certificate);
  let made = 0;
  const guessing = Array.from({ length: callers }, async () => {
    while (made < guesses) {
      const attacker = attackers[made++ % addresses] ?? machine;
      expectProblem(await guess(attacker), 'link_code_not_redeemable');
    }
  });
  await Promise.all(guessing);
  const [sources] = await world.fixtures.sql<{ count: number; total: number }[]>`
    select count(*)::int as count, sum(count)::int as total from redeem_source`;
  expect(sources).toEqual({ count: addresses, total: guesses });
  const [connections] = await world.fixtures.sql<
    { count: number }[]
  >`select count(*)::int as count from connection where client_number = ${client.number}`;
  expect(connections?.count).toBe(0);
  // Guessing does not block anybody's code either.
  for (const { code } of codes) {
    expect((await machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code } })).status).toBe(200);
  }
}, 300_000);

test('with the real limits guessing ends after 20 in a minute, 60 in an hour, and 10 from one address', async () => {
  world.clock.stop();
  await world.fixtures.sql`delete from redeem_source`;
  const { certificate } = await world.backEnd();
  const attackers = fromEverywhere(certificate);
  const codes = new Map<string, number>();
  for (let minute = 0; minute < 5; minute += 1) {
    for (const attacker of attackers) {
      const { code } = (await guess(attacker)).body as { code: string };
      codes.set(`${minute} ${code}`, (codes.get(`${minute} ${code}`) ?? 0) + 1);
    }
    world.clock.advance(60_000);
  }
  expect(Object.fromEntries(codes)).toEqual({
    '0 link_code_not_redeemable': 20,
    '0 rate_limit_exceeded': 20,
    '1 link_code_not_redeemable': 20,
    '1 rate_limit_exceeded': 20,
    '2 link_code_not_redeemable': 20,
    '2 link_code_attempts_exceeded': 20,
    '3 link_code_attempts_exceeded': 40,
    '4 link_code_attempts_exceeded': 40,
  });

  const operators = await Promise.all(Array.from({ length: 4 }, () => world.backEnd()));
  let admitted = 0;
  for (const { client } of operators) {
    const attacker = world.connect(await world.fixtures.certificate(world.authority, client), world.api, { localAddress: '127.0.0.99' });
    for (let turn = 0; turn < 5; turn += 1) if ((await guess(attacker)).status === 404) admitted += 1;
  }
  expect(admitted).toBe(10);
  world.clock.run();
}, 120_000);
