import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { Sharing } from '../../support/feed/sharing.ts';

const rounds = Number(process.env['REDEEM_RACE_ROUNDS'] ?? 10);

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world.close());

test(`of four calls that redeem one code at once exactly one wins, in each of ${rounds} rounds`, async () => {
  const { client, certificate, machine } = await world.backEnd();
  for (const quota of ['requests_per_minute', 'link_code_redemptions_per_hour', 'link_code_redemptions_per_ip_per_15_minutes'])
    await world.fixtures.override(client, quota, 1_000_000);
  const second = await world.fixtures.certificate(world.authority, client);
  const api = await world.secondApi();
  const callers = [machine, world.connect(certificate, api), world.connect(second), world.connect(second, api)];
  await Promise.all(callers.map((caller) => caller.call('/v1/capabilities', { describe: false })));
  const connections: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { code } = await sharing.code(client);
    const answers = await Promise.all(callers.map((caller) => caller.call('/v1/link-codes/redeem', { method: 'POST', body: { code } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    const won = answers.find(({ status }) => status === 200)?.body as { connection_id: string };
    connections.push(won.connection_id);
  }
  const made = await world.fixtures.sql<{ id: string }[]>`select id from connection where client_number = ${client.number}`;
  expect(made.map(({ id }) => id).sort()).toEqual(connections.sort());
}, 120_000);
