import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminCommand } from '../../server/adminCommands.ts';
import { removeExpired } from '../../server/domain/retention/removeExpired.ts';
import { keepDeliveryKey, refuseUnknownSigningKeys } from '../../server/domain/webhook/signing/deliveryKey.ts';
import { type publishedKeys, thumbprint } from '../../server/domain/webhook/signing/jwks.ts';
import { signDelivery } from '../../server/domain/webhook/signing/signDelivery.ts';
import { keepSigningKeys } from '../../server/domain/webhook/signing/signingKeys.ts';
import { authorityKeys } from '../../server/platform/authorityKeys.ts';
import { verifyByRfc9421 } from '../support/clients/rfc9421.ts';
import { openDatabaseProxy } from '../support/run/databaseProxy.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { signingKeys, terminalConfig } from '../support/world/testKeys.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const path = '/.well-known/svc-integration-webhook-jwks.json';
const wrapping = authorityKeys(signingKeys);

let world: PortalWorld;
let proxy: Awaited<ReturnType<typeof openDatabaseProxy>>;
beforeAll(async () => {
  proxy = await openDatabaseProxy();
  world = await openWorld({ portal: { portalDatabaseUrl: (url) => proxy.through(url) } });
  world.clock.stop();
});
afterAll(async () => {
  await world.close();
  await proxy.close();
});

const get = (headers: Record<string, string> = {}) => world.browser().fetch(path, { headers });
type PublishedKey = Awaited<ReturnType<typeof publishedKeys>>[number];
const published = async () => ((await (await get()).json()) as { keys: PublishedKey[] }).keys;
const kids = async () => (await published()).map(({ kid }) => kid);
/** What the clock starts in a worker. */
const keep = () => keepSigningKeys(world.em(), { wrapping, now: world.clock.now() });
const terminal = (...args: string[]) => adminCommand(args)(world.em(), world.clock.now(), terminalConfig());
const worker = () => keepDeliveryKey({ em: () => world.em(), wrapping, clock: world.clock });
const audited = async (action: string) =>
  (await world.rows<{ id: string }>('select subject_id as id from audit_entry where action = $1 order by occurred_at', [action])).map(
    ({ id }) => id,
  );

/** Signs as a worker does, and verifies as a receiver that has just read the JWKS. Returns the kid. */
async function delivered(key: ReturnType<typeof worker>): Promise<unknown> {
  const url = 'https://hooks.example/svc';
  const body = Buffer.from('{}');
  const created = Math.floor(world.clock.now().getTime() / 1000);
  const signed = signDelivery({ url, body, eventId: 'evt_1', eventTimestamp: '2026-11-21T10:00:00.250Z', created, key: await key() });
  const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
  return verifyByRfc9421({ method: 'POST', targetUri: url, headers, body }, 'svc', await published()).get('keyid');
}

test('before the first worker has started, nobody may remember that there was no key', async () => {
  const response = await get();
  expect(await response.json()).toEqual({ keys: [] });
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('workers that start at once make one key that signs at once, and one that waits', async () => {
  await Promise.all(Array.from({ length: 4 }, keep));
  const keys = await published();
  expect(keys).toEqual(
    Array.from({ length: 2 }, () => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.stringMatching(/^[\w-]{43}$/),
      kid: expect.stringMatching(/^[\w-]{43}$/),
      use: 'sig',
      alg: 'EdDSA',
    })),
  );
  expect(await delivered(worker())).toBe(keys[0]?.kid);
  expect(await audited('signing_key.published')).toHaveLength(2);
});

test('the name of a key is its thumbprint (RFC 7638; the example of RFC 8037, A.3)', async () => {
  expect(thumbprint('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  for (const { kty, crv, x, kid } of await published()) {
    const members = JSON.stringify({ crv, kty, x });
    expect(kid).toBe(createHash('sha256').update(members).digest('base64url'));
  }
});

test('the key set may be kept for an hour, and is read again with its ETag', async () => {
  const response = await get();
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': expect.stringMatching(/^application\/jwk-set\+json/),
    'cache-control': 'public, max-age=3600',
    'access-control-allow-origin': '*',
    etag: expect.stringMatching(/^"[\w-]{43}"$/),
  });
  expect((await get({ 'If-None-Match': response.headers.get('etag') ?? '' })).status).toBe(304);
});

test('a private key is stored wrapped, and a process that cannot open it says why', async () => {
  const other = authorityKeys({ variable: 'SIGNING_KEY', current: Buffer.alloc(32, 9) });
  await expect(refuseUnknownSigningKeys(world.em(), { wrapping: other })).rejects.toThrow(
    /stored secret for webhook_signing_key is wrapped under the key [0-9a-f]{16}, which this process does not have: SIGNING_KEY is/,
  );
  await expect(refuseUnknownSigningKeys(world.em(), { wrapping })).resolves.toBeUndefined();
});

test('a key signs for 90 days; the next one has then been published for at least a day; the second rotation works as the first', async () => {
  const key = worker();
  for (const turn of ['first', 'second']) {
    const [current, next] = await kids();
    world.clock.advance(90 * day - 1);
    await keep();
    expect([turn, await delivered(key)]).toEqual([turn, current]);
    world.clock.advance(1);
    await keep();
    world.clock.advance(1000);
    // The worker that has been running all the time signs with the next key, which a receiver has long known.
    expect([turn, await delivered(key)]).toEqual([turn, next]);
    const [now, waiting, former] = await kids();
    expect([now, former]).toEqual([next, current]);
    expect([current, next]).not.toContain(waiting);
    const rows = await world.rows<{ id: string }>('select id from webhook_signing_key where wrapped_key is null');
    expect(rows).toEqual([{ id: current }]);

    world.clock.advance(8 * day - 1000);
    expect(await kids()).toContain(current);
    world.clock.advance(minute);
    expect(await kids()).toEqual([next, waiting]);
    await removeExpired(world.em(), { now: world.clock.now() });
    expect(await world.rows('select 1 from webhook_signing_key')).toHaveLength(2);
    world.clock.advance(-8 * day - minute);
  }
});

test('a rotation that is late does not use a key that receivers may not know yet', async () => {
  const [current, next] = await kids();
  await terminal('revoke-webhook-key', next ?? '');
  world.clock.advance(90 * day - minute);
  await keep();
  world.clock.advance(minute + 23 * hour);
  await keep();
  expect((await kids())[0]).toBe(current);
  world.clock.advance(hour);
  await keep();
  expect((await kids())[0]).not.toBe(current);
});

test('a rotation by hand waits until the next key has been published for a day, and says when that is', async () => {
  const [current, next] = await kids();
  await expect(terminal('rotate-webhook-key')).rejects.toThrow(
    `may sign from ${new Date(world.clock.now().getTime() + day).toISOString()} on`,
  );
  world.clock.advance(day);
  expect(await terminal('rotate-webhook-key')).toMatchObject({
    result: next,
    words: expect.stringContaining(`${current} stays published`),
  });
  // Until a worker has published another one, there is none to rotate to.
  await expect(terminal('rotate-webhook-key')).rejects.toThrow('No next key is published.');
  expect(await world.rows(`select 1 from graphile_worker.jobs where task_identifier = 'keepSigningKeys'`)).not.toEqual([]);
  await keep();
  await expect(terminal('rotate-webhook-key')).rejects.toThrow('may sign from');
  world.clock.advance(day);
  await expect(terminal('rotate-webhook-key')).resolves.toMatchObject({ words: expect.stringContaining('signs deliveries from now on') });
  await keep();
});

test('a compromised key goes at once, and what signs next is a key that receivers already have', async () => {
  const key = worker();
  world.clock.advance(hour);
  const [current, next] = await kids();
  expect(await delivered(key)).toBe(current);
  const { words } = await terminal('revoke-webhook-key', current ?? '');
  expect(words).toContain(`${next} signs deliveries from now on`);
  expect(words).toContain('so every receiver has it');
  expect((await kids())[0]).toBe(next);
  expect(await kids()).not.toContain(current);
  expect((await audited('signing_key.rotated')).at(-1)).toBe(next);
  world.clock.advance(1000);
  expect(await delivered(key)).toBe(next);
  expect(await audited('signing_key.revoked')).toContain(current);
});

test('revoking the key that signs shows first how many endpoints it serves, and goes on with that number alone', async () => {
  await keep();
  await world.fixtures.webhookEndpoint(await world.fixtures.client());
  const before = await kids();
  const [current = '', next] = before;
  expect(await terminal('revoke-webhook-key', current)).toMatchObject({
    result: '1',
    undone: true,
    words: expect.stringContaining(`${current} signs deliveries now. Endpoints that they go to: 1.`),
  });
  await expect(terminal('revoke-webhook-key', current, '--count', '2')).rejects.toThrow('That is 1 in all, not 2.');
  expect(await kids()).toEqual(before);
  expect((await terminal('revoke-webhook-key', current, '--count', '1')).words).toContain(`${next} signs deliveries from now on`);
  await world.rows('delete from webhook_endpoint');
  await keep();
});

test('after both keys are compromised, a new one signs at once, and the terminal says what receivers see', async () => {
  const key = worker();
  await keep();
  const [current, next] = await kids();
  expect((await terminal('revoke-webhook-key', next ?? '')).words).toContain('Deliveries are signed as before.');
  const { words } = await terminal('revoke-webhook-key', current ?? '');
  expect(words).toContain('a new one is made and signs at once');
  expect(words).toContain('Receivers that kept an older key set refuse deliveries until they read it again');
  const kid = await delivered(key);
  expect([current, next]).not.toContain(kid);
  const [first] = await kids();
  expect(first).toBe(kid);
  // A next key that was published a moment ago signs as well, but not every receiver knows it.
  const young = await terminal('revoke-webhook-key', first ?? '');
  expect(young.words).toContain('refuse deliveries until they read it again');
  expect(young.words).not.toContain('so every receiver has it');
  await keep();
});

test('the terminal names what it does not know, and takes a kid that begins with a hyphen', async () => {
  await expect(terminal('revoke-webhook-key', `-${'a'.repeat(42)}`)).rejects.toThrow('No key with this kid is published.');
  expect(() => adminCommand(['revoke-webhook-key', '--all'])).toThrow('takes KID');
  expect(() => adminCommand(['rotate-webhook-key', 'now'])).toThrow('takes no arguments');
});

test('while the database is away, the key set is answered for as long as a cache would keep it, and then as a problem', async () => {
  const keys = await kids();
  proxy.cut();
  world.clock.advance(20 * minute);
  const response = await get();
  expect(response.headers.get('cache-control')).toBe('public, max-age=2400');
  expect(((await response.json()) as { keys: PublishedKey[] }).keys.map(({ kid }) => kid)).toEqual(keys);
  world.clock.advance(40 * minute);
  expect((await get()).status).toBe(503);
  proxy.mend();
  expect((await get()).headers.get('cache-control')).toBe('public, max-age=3600');
});
