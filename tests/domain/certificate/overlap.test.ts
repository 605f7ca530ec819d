import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { revokeAnyCertificate } from '../../../server/domain/administration/revokeAnyCertificate.ts';
import { revokeAuthorities } from '../../../server/domain/certificate/authority/revokeAuthorities.ts';
import { revokeUntrusted } from '../../../server/domain/certificate/authority/revokeUntrusted.ts';
import { issueCertificate } from '../../../server/domain/certificate/issueCertificate.ts';
import { expireP12s } from '../../../server/domain/certificate/p12/expireP12s.ts';
import { requestCertificate } from '../../../server/domain/certificate/request/requestCertificate.ts';
import { revokeCertificate } from '../../../server/domain/certificate/revokeCertificate.ts';
import { warnOfExpiringCertificates } from '../../../server/domain/certificate/warnOfExpiringCertificates.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { TestAuthority, TestClient } from '../../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { operatorOf } from '../lifecycles/certificateWalk.ts';
import { attribute, csrPem, nameOf } from './csrFactory.ts';
import { type P12, P12s } from './p12/P12s.ts';

const [minute, day] = [60_000, 24 * 60 * 60_000];

let world: MachineWorld;
let p12s: P12s;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  p12s = new P12s(world, world.authority);
});
afterAll(() => world.close());
beforeEach(() => world.clock.advance(minute));

const now = () => world.clock.now();

/** A back end with a certificate that would work for another 80 days. */
async function backEnd() {
  const client = await world.fixtures.client();
  const older = await world.fixtures.certificate(world.authority, client, { notBefore: new Date(now().getTime() - 10 * day) });
  const ownEnd = await endOf(older.id);
  return { client, older, ownEnd, machine: world.connect(older) };
}

async function endOf(id: string): Promise<number> {
  const [row] = await world.rows<{ end: Date }>('select usable_until as end from certificate where id = $1', [id]);
  return row?.end.getTime() ?? 0;
}

/** Its successor, from an uploaded request. Returns its ID. */
async function successor(
  client: TestClient,
  { issuerId, signer }: Pick<TestAuthority, 'issuerId' | 'signer'> = world.authority,
): Promise<string> {
  const key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  const csr = csrPem({ key, subject: nameOf(attribute(client.commonName)) });
  const { id } = await requestCertificate(world.em(), { actor: operatorOf(client.operatorId), clientId: client.id, csr, now: now() });
  const issuer = { id: issuerId, signer, crlDistributionUrl: 'https://crl.example.com/issuing.crl' };
  await issueCertificate(world.em(), { certificateId: id, issuer, now: now() });
  return id;
}

const revoke = (client: TestClient, certificateId: string) =>
  revokeCertificate(world.em(), { actor: operatorOf(client.operatorId), certificateId, reason: 'superseded', now: now() });
const restored = (client: TestClient) =>
  world.rows<{ details: Record<string, string> }>(`select details from mail where kind = 'certificate_end_restored' and operator_id = $1`, [
    client.operatorId,
  ]);

/** How a package can end without having been claimed. */
const wrong = 'A'.repeat(43);
const packageEnds: Record<string, (p12: P12) => Promise<unknown>> = {
  'that nobody claims in time': () => {
    world.clock.advance(16 * minute);
    return expireP12s(world.em(), { now: now() });
  },
  'that somebody claims too late': (p12) => {
    world.clock.advance(16 * minute);
    return p12s.claim(p12).catch(() => undefined);
  },
  'that five wrong tokens block': async (p12) => {
    for (let count = 0; count < 5; count += 1) await p12s.claim({ ...p12, token: wrong }).catch(() => undefined);
  },
};

const ends: Record<string, (client: TestClient) => Promise<unknown>> = {
  'that its owner revokes': async (client) => revoke(client, await successor(client)),
  'that an administrator revokes': async (client) =>
    revokeAnyCertificate(world.em(), {
      actor: { ...operatorOf(newId('opr')), roles: ['administrator'] },
      certificateId: await successor(client),
      revocationReason: 'key_compromise',
      reason: 'A leaked key.',
      now: now(),
    }),
  'whose authority is revoked': async (client) => {
    await world.rows(`update certificate_authority set retired_at = now() where retired_at is null`);
    const other = await world.fixtures.authorities();
    await successor(client, other);
    await world
      .em()
      .transactional((tx) => revokeAuthorities(tx, { ids: [other.issuerId], actor: { type: 'system', name: 'test' }, now: now() }));
    await revokeUntrusted(world.em(), now());
  },
  ...Object.fromEntries(
    Object.entries(packageEnds).map(([how, end]) => [`in a package ${how}`, async (client: TestClient) => end(await p12s.ready(client))]),
  ),
};

test.each(Object.keys(ends))('a certificate has its own end again after a newer one %s, and its owner is mailed', async (how) => {
  const { client, older, ownEnd } = await backEnd();
  await ends[how]?.(client);
  expect(await endOf(older.id)).toBe(ownEnd);
  expect((await restored(client)).map(({ details }) => details)).toEqual([
    { environment: 'sandbox', commonName: client.commonName, usableUntil: new Date(ownEnd).toISOString() },
  ]);
});

test('the capabilities show the end of the overlap while both work, and the own end again after it', async () => {
  const { client, ownEnd, machine } = await backEnd();
  const shown = async () =>
    ((await machine.call('/v1/capabilities')).body as { certificate: { expires_at: string } }).certificate.expires_at;
  expect(await shown()).toBe(new Date(ownEnd).toISOString());
  const before = now().getTime();
  const p12 = await p12s.ready(client);
  expect(Date.parse(await shown()) - before - 14 * day).toBeLessThan(minute);
  await packageEnds['that nobody claims in time']?.(p12);
  expect(await shown()).toBe(new Date(ownEnd).toISOString());
});

test('a certificate that has already ended with its overlap stays ended', async () => {
  const { client, older } = await backEnd();
  const newer = await successor(client);
  const end = await endOf(older.id);
  world.clock.advance(14 * day);
  await revoke(client, newer);
  expect(await endOf(older.id)).toBe(end);
  expect(await restored(client)).toEqual([]);
});

test('a certificate ends at its own end if that is before the end of the overlap, whatever becomes of the newer one', async () => {
  const client = await world.fixtures.client();
  const older = await world.fixtures.certificate(world.authority, client, { notBefore: new Date(now().getTime() - 80 * day) });
  const ownEnd = await endOf(older.id);
  const newer = await successor(client);
  expect(await endOf(older.id)).toBe(ownEnd);
  await revoke(client, newer);
  expect(await endOf(older.id)).toBe(ownEnd);
  expect(await restored(client)).toEqual([]);
});

test('a newer certificate that itself ends within the overlap leaves the older one its own end', async () => {
  await world.rows(`update certificate_authority set retired_at = now() where retired_at is null`);
  const { client, older, ownEnd } = await backEnd();
  const short = await world.fixtures.authorities({ notAfter: new Date(now().getTime() + 5 * day) });
  const newer = await successor(client, short);
  expect(await endOf(newer)).toBeLessThan(now().getTime() + 6 * day);
  expect(await endOf(older.id)).toBe(ownEnd);
  // Nor does it once a later one, which does limit it, is gone.
  await revoke(client, newer);
  const second = await successor(client);
  expect(await endOf(older.id)).toBeLessThan(ownEnd);
  await revoke(client, second);
  expect(await endOf(older.id)).toBe(ownEnd);
});

test('the end of an older certificate changes nothing for the newer one, nor for one that a newer one still limits', async () => {
  const { client, older } = await backEnd();
  const second = await successor(client);
  const secondEnd = await endOf(second);
  await revoke(client, older.id);
  expect(await endOf(second)).toBe(secondEnd);
  world.clock.advance(minute);
  const third = await successor(client);
  const limited = await endOf(second);
  expect(limited).toBeLessThan(secondEnd);
  // Another client’s revocation is no concern of this one.
  const other = await backEnd();
  await revoke(other.client, await successor(other.client));
  expect(await endOf(second)).toBe(limited);
  await revoke(client, third);
  expect(await endOf(second)).toBe(secondEnd);
});

/** The ends that the owner has been mailed, in milliseconds. */
async function endsTold(client: TestClient): Promise<number[]> {
  const rows = await world.rows<{ end: string }>(
    `select details->>'usableUntil' as end from mail where kind = 'certificate_expiring' and operator_id = $1 order by created_at`,
    [client.operatorId],
  );
  return rows.map(({ end }) => Date.parse(end));
}

test('the end of an overlap is not told once all calls come with the newer certificate, but to who still calls with the older one', async () => {
  const { client, older, ownEnd } = await backEnd();
  const call = (certificateId: string, at: Date) =>
    world.rows(
      `insert into certificate_activity (certificate_id, last_used_at) values ($1, $2)
       on conflict (certificate_id) do update set last_used_at = excluded.last_used_at`,
      [certificateId, at],
    );
  const warn = (at: Date) => warnOfExpiringCertificates(world.em(), { now: at });
  await call(older.id, now());
  const issuedAt = now().getTime();
  const newer = await successor(client);
  const overlapEnd = await endOf(older.id);
  await call(newer, now());
  for (const days of [0, 2, 8]) await warn(new Date(issuedAt + days * day));
  expect(await endsTold(client)).toEqual([]);

  const forgotten = new Date(issuedAt + 9 * day);
  await call(older.id, forgotten);
  await warn(forgotten);
  expect(await endsTold(client)).toEqual([overlapEnd]);

  // Its own end is nobody's concern either while the newer one works longer, and again is once that is revoked.
  await revoke(client, newer);
  await warn(new Date(ownEnd - day));
  expect(await endsTold(client)).toEqual([overlapEnd, ownEnd]);
});

test('an end that has moved back is told again when it comes near', async () => {
  const { client, ownEnd } = await backEnd();
  const told = () => endsTold(client);
  const newer = await successor(client);
  await warnOfExpiringCertificates(world.em(), { now: now() });
  const overlapEnd = (await told())[0] ?? 0;
  expect(overlapEnd).toBeLessThan(ownEnd);
  await revoke(client, newer);
  for (const days of [40, 14, 14]) await warnOfExpiringCertificates(world.em(), { now: new Date(ownEnd - days * day) });
  expect(await told()).toEqual([overlapEnd, ownEnd]);
});
