import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { accountLimits } from '../../../server/domain/account/accountLimits.ts';
import { checkCsr } from '../../../server/domain/certificate/csr/csrRules.ts';
import { requestCertificate } from '../../../server/domain/certificate/request/requestCertificate.ts';
import type { TestClient } from '../../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { operatorOf } from '../lifecycles/certificateWalk.ts';
import { attribute, csrPem, nameOf } from './csrFactory.ts';

const hour = 60 * 60_000;

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

let client: TestClient;
beforeEach(async () => {
  client = await world.fixtures.client();
});

const good = () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  return csrPem({ key, subject: nameOf(attribute(client.commonName)) });
};
let judged = 0;
beforeEach(() => {
  judged = 0;
});
const request = (csr: string, of = client, meanwhile: () => Promise<unknown> = () => Promise.resolve()) =>
  requestCertificate(world.em(), {
    actor: operatorOf(of.operatorId),
    clientId: of.id,
    csr,
    judge: async (...asked) => {
      judged += 1;
      await meanwhile();
      return checkCsr(...asked);
    },
    now: world.clock.now(),
  });
const codeOf = (requested: Promise<unknown>) =>
  requested.then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  );

test('nothing of the client is locked while a request is judged, and what has changed meanwhile counts', async () => {
  const retire = () => world.rows(`update integration set status = 'retired' where id = $1`, [client.integrationId]);
  const lock = () => world.rows('select 1 from client where number = $1 for update nowait', [client.number]);
  expect(await codeOf(request(good(), client, lock))).toBe('accepted');
  expect(await codeOf(request(good(), client, retire))).toBe('conflict');
});

test('what finds no slot, or comes after too many in a day, is refused without being judged', async () => {
  await request(good());
  await request(good());
  expect(await codeOf(request(good()))).toBe('certificate_limit_reached');
  await world.rows(`update certificate set status = 'revoked', slot = null, revoked_at = now() where client_number = $1`, [client.number]);
  await world.rows(
    `insert into certificate (id, client_number, source, status, key_type, requested_at, requested_by, revoked_at)
     select 'crt_' || md5($1::text || n), $1::int, 'csr', 'revoked', 'EC P-256', $2::timestamptz, $3, now() from generate_series(1, 20) n`,
    [client.number, world.clock.now(), client.operatorId],
  );
  expect(await codeOf(request(good()))).toBe('rate_limit_exceeded');
  expect(judged).toBe(2);
});

test('an account that has had sixty requests refused within an hour has none judged until the hour is over', async () => {
  const sent = await Promise.all(
    Array.from({ length: accountLimits.refusedCsrsPerOperatorPerHour + 5 }, () => codeOf(request('nonsense'))),
  );
  expect(sent.filter((code) => code === 'invalid_request')).toHaveLength(accountLimits.refusedCsrsPerOperatorPerHour);
  expect(sent.filter((code) => code === 'rate_limit_exceeded')).toHaveLength(5);
  expect([judged, await codeOf(request(good()))]).toEqual([accountLimits.refusedCsrsPerOperatorPerHour, 'rate_limit_exceeded']);
  const stranger = await world.fixtures.client();
  expect(await codeOf(request('nonsense', stranger))).toBe('invalid_request');
  world.clock.advance(hour);
  expect(await codeOf(request(good()))).toBe('accepted');
});

test('requests that are accepted do not count as refused, but one whose key was certified before does', async () => {
  const [first, second] = [good(), good()];
  const counted = async () =>
    (await world.rows<{ count: number }>(`select count from attempt_window where source = $1`, [client.operatorId]))[0]?.count;
  await request(first);
  expect(await counted()).toBe(0);
  expect(await codeOf(request(first))).toBe('invalid_request');
  expect(await counted()).toBe(1);
  await request(second);
  expect(await counted()).toBe(1);
});

// The last test, since no request is stored any more after it.
test('what only the function of a later release refuses is not said to be a matter of slots', async () => {
  const [made] = await world.rows<{ sql: string }>(`select pg_get_functiondef('request_certificate'::regproc) as sql`);
  await world.rows(made!.sql.replace(/\bbegin\b/i, 'begin return null;'));
  await expect(request(good())).rejects.toMatchObject({ code: 'conflict' });
});
