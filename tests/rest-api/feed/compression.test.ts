import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { Sharing } from '../../support/feed/sharing.ts';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

async function sandbox() {
  const backEnd = await world.backEnd();
  await world.fixtures.override(backEnd.client, 'requests_per_minute', 1_000);
  const connection = await world.fixtures.connection(backEnd.client);
  const orders = await world.fixtures.share(backEnd.client, connection, 200, { shipping: true });
  return { ...backEnd, orders };
}

test.each(['gzip', 'zstd'])(
  'a page is sent in %s to a client that takes it, with an ETag of its own, and HEAD has the same headers',
  async (coding) => {
    const { machine } = await sandbox();
    const headers = { 'Accept-Encoding': `${coding}, br` };
    const plain = await machine.call('/v1/sync');
    const coded = await machine.call('/v1/sync', { headers });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(coded.headers).toMatchObject({
      'content-encoding': coding,
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
      vary: 'Accept-Encoding',
      etag: `${plain.headers.etag?.slice(0, -1)}-${coding}"`,
    });
    expect(plain.headers.vary).toBe('Accept-Encoding');
    expect(coded.text).toBe(plain.text);
    expect(Number(coded.headers['content-length']) * 4).toBeLessThan(Number(plain.headers['content-length']));
    const head = await machine.call('/v1/sync', { method: 'HEAD', headers });
    const kept = ['content-encoding', 'content-length', 'content-type', 'etag', 'vary', 'cache-control'] as const;
    for (const name of kept) expect([name, head.headers[name]]).toEqual([name, coded.headers[name]]);
  },
);

test('the ETag of any coding, and what proxies make of it, is 304, with the ETag of the coding that would be sent', async () => {
  const { machine } = await sandbox();
  const etag = (await machine.call('/v1/sync')).headers.etag ?? '';
  const suffixed = (suffix: string) => `${etag.slice(0, -1)}${suffix}"`;
  for (const named of ['-gzip', '-zstd', '--gzip', ';gzip', '-br'].map(suffixed)) {
    const plain = await machine.call('/v1/sync', { headers: { 'If-None-Match': named } });
    expect(plain).toMatchObject({ status: 304, text: '', headers: { etag, vary: 'Accept-Encoding' } });
    const coded = await machine.call('/v1/sync', { headers: { 'If-None-Match': `W/${named}`, 'Accept-Encoding': 'gzip' } });
    expect(coded).toMatchObject({ status: 304, headers: { etag: suffixed('-gzip') } });
    expect(coded.headers['content-encoding']).toBeUndefined();
  }
  expect((await machine.call('/v1/sync', { headers: { 'If-None-Match': suffixed('-lzma') } })).status).toBe(200);
});

test('If-None-Match may be as long as the description says', async () => {
  const { machine } = await sandbox();
  const etag = (await machine.call('/v1/sync')).headers.etag ?? '';
  const header = `${'"0123456789abcdef", '.repeat(500)}${etag}`.slice(-4_096);
  expect(header).toHaveLength(4_096);
  expect((await machine.call('/v1/sync', { headers: { 'If-None-Match': `"${header.slice(1)}` } })).status).toBe(304);
});

test('details, capabilities and redemptions over 1 KiB are compressed, short bodies and problems are not', async () => {
  const { machine, client, orders } = await sandbox();
  const headers = { 'Accept-Encoding': 'gzip' };
  const detail = await machine.call(`/v1/orders/${orders[0]}`, { headers });
  expect([detail.status, detail.headers['content-encoding']]).toEqual([200, detail.text.length > 1_024 ? 'gzip' : undefined]);
  const { code } = await new Sharing(world).code(client, { orders: 40 });
  const redeemed = await machine.call('/v1/link-codes/redeem', { method: 'POST', body: { code }, headers });
  expect(redeemed.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-store' });
  expect(redeemed.body).toMatchObject({ resources: expect.any(Array) });
  const short = await machine.call('/v1/capabilities', { headers });
  expect([short.headers['content-encoding'], short.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
  const insisting = await machine.call('/v1/capabilities', { headers: { 'Accept-Encoding': 'gzip, identity;q=0' } });
  expect([insisting.headers['content-encoding'], insisting.body]).toEqual(['gzip', short.body]);
  const problem = await machine.call('/v1//sync', { headers: { 'Accept-Encoding': 'gzip, identity;q=0' } });
  expectProblem(problem, 'not_found', { instance: '/v1//sync', detail: 'There is no such path. You probably mean /v1/sync' });
  expect(problem.headers['content-encoding']).toBeUndefined();
});
