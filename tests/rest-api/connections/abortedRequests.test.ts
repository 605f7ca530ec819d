import { connect } from 'node:tls';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

test('callers that hang up, at any moment of their request, leave no lease taken', async () => {
  const { client, certificate, machine } = await world.backEnd();
  for (const quota of ['requests_per_minute', 'requests_per_hour', 'concurrent_requests'])
    await world.fixtures.override(client, quota, 10_000);
  await world.fixtures.share(client, await world.fixtures.connection(client), 500, { shipping: true });
  const gone = Array.from({ length: 40 }, async (_, turn) => {
    const socket = connect({
      port: world.api.port,
      servername: 'localhost',
      ca: world.tls.caPem,
      cert: certificate.certPem,
      key: certificate.keyPem,
    });
    await once(socket, 'secureConnect');
    socket.write('GET /v1/sync HTTP/1.1\r\nHost: localhost\r\n\r\n');
    // Some hang up before the request is read, some while it is admitted, some while the page arrives.
    if (turn % 4 === 1) await world.fixtures.sql`select 1`;
    if (turn % 4 === 2) await once(socket, 'data');
    socket.destroy();
  });
  await Promise.all(gone);
  for (;;) {
    const [row] = await world.fixtures.sql<
      { taken: number }[]
    >`select cardinality(leases) as taken from client_quota where client_number = ${client.number}`;
    if (row?.taken === 0) break;
  }
  expect((await machine.call('/v1/sync')).status).toBe(200);
});
