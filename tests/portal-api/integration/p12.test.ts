import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { expireP12s } from '../../../server/domain/certificate/p12/expireP12s.ts';
import { openPackage } from '../../../server/domain/certificate/p12/sealPackage.ts';
import { unwrapKey } from '../../../server/platform/keyStore.ts';
import { MachineClient } from '../../support/clients/machineClient.ts';
import { codesOf, fieldsOf, type CertificateData, type PortalClient } from '../../support/clients/portalClient.ts';
import { privateKeyOf } from '../../support/readPkcs12.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { masterKeys, signingKeys } from '../../support/world/testKeys.ts';

const minute = 60_000;

let world: PortalWorld & MachineWorld;
let owner: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
beforeAll(async () => {
  world = await openWorld({ portal: true, machine: true });
  owner = await world.operator();
});
afterAll(() => world.close());
beforeEach(async () => {
  await owner.signIn();
  integration = await owner.createIntegration();
  await owner.confirmFreshly();
});

type Requested = { readonly id: string; readonly token: string };

/** Requested, and made by a worker. */
async function readyP12(): Promise<Requested> {
  const { data, errors } = await owner.requestP12(integration.clientId);
  if (!data) throw new Error(JSON.stringify(errors));
  await world.work();
  return { id: data.certificate.id, token: data.claimToken };
}
const certificate = async ({ id }: Pick<Requested, 'id'>): Promise<CertificateData> => {
  const found = (await owner.certificates(integration.slug)).find((each) => each.id === id);
  if (!found) throw new Error('There is no such certificate.');
  return found;
};
async function claimed({ id, token }: Requested) {
  const { data, errors, headers } = await owner.claimP12(id, token);
  if (!data) throw new Error(JSON.stringify(errors));
  return { ...data, file: Buffer.from(data.package, 'base64'), headers };
}

/** Everything that is stored: each row of each table, the queue's included, with its bytes as hexadecimal digits; and everything logged. */
async function everything(): Promise<string> {
  const tables = await world.rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['public.p12_package', 'graphile_worker._private_jobs']));
  const rows: string[] = [];
  for (const { name } of tables)
    for (const { row } of await world.rows<{ row: string }>(`select t::text as row from ${name} t`)) rows.push(row);
  return [...rows, world.log()].join('\n');
}

/** How bytes can be written: in hexadecimal digits, or as base64 wherever they begin in it. */
function formsOf(bytes: Buffer): string[] {
  const base64 = [0, 1, 2].map((lead) =>
    Buffer.concat([Buffer.alloc(lead), bytes])
      .toString('base64')
      .slice(lead === 0 ? 0 : 4, -4),
  );
  const hex = bytes.toString('hex');
  return [
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    bytes.toString('latin1'),
  ];
}

test('a user whose key a worker makes gets a package that calls the machine API, and its password once', async () => {
  const { data } = await owner.requestP12(integration.clientId);
  expect(data?.certificate).toMatchObject({
    source: 'p12',
    status: 'pending',
    keyType: 'EC P-256',
    p12: { status: 'making', attemptsLeft: 5 },
  });
  await world.work();
  const p12 = { id: data?.certificate.id ?? '', token: data?.claimToken ?? '' };
  const ready = await certificate(p12);
  expect(ready).toMatchObject({ status: 'issued', p12: { status: 'ready', endedAt: null } });
  expect(Date.parse(ready.p12?.claimUntil ?? '') - Date.parse(ready.p12?.readyAt ?? '')).toBe(15 * minute);

  const { file, fileName, password, headers } = await claimed(p12);
  expect(fileName).toBe(`${ready.keyName}.p12`);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(await certificate(p12)).toMatchObject({ status: 'issued', p12: { status: 'claimed', endedAt: expect.any(String) } });
  expect(codesOf(await owner.claimP12(p12.id, p12.token))).toEqual(['CONFLICT']);

  const machine = new MachineClient({ url: world.api.url, ca: world.tls.caPem, pkcs12: { file, password } });
  const { status, body } = await machine.call('/v1/capabilities');
  machine.close();
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ certificate: expect.objectContaining({ id: p12.id, serial: ready.serial }) }),
  ]);
  const leaf = new X509Certificate(await (await owner.fetch(ready.bundlePath ?? '')).text());
  const key = createPrivateKey({ key: privateKeyOf(file, password), format: 'der', type: 'pkcs8' });
  expect(leaf.publicKey.equals(createPublicKey(key))).toBe(true);
  expect(leaf.subject).toBe(`CN=${integration.commonName}`);
});

test('nothing of a user’s key, password or token is stored, queued or logged, while the package waits and after', async () => {
  const { data } = await owner.requestP12(integration.clientId);
  const p12 = { id: data?.certificate.id ?? '', token: data?.claimToken ?? '' };
  const queued = await everything();
  expect(new RegExp(String.raw`certificateId\W{1,8}${p12.id}`).test(queued)).toBe(true);
  await world.work();
  const waiting = await everything();
  expect(codesOf(await owner.claimP12(p12.id, Buffer.alloc(32, 9).toString('base64url')))).toEqual(['BAD_USER_INPUT']);
  const { file, password } = await claimed(p12);
  const after = await everything();
  const keyDer = privateKeyOf(file, password);
  const { d = '' } = createPrivateKey({ key: keyDer, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
  const scalar = Buffer.from(d, 'base64url');
  expect(keyDer.indexOf(scalar)).toBeGreaterThan(0);
  const secrets = {
    scalar: formsOf(scalar),
    pem: keyDer.toString('base64').match(/.{64}/g) ?? [],
    password: [password, ...formsOf(Buffer.from(password))],
    token: [p12.token, ...formsOf(Buffer.from(p12.token)), ...formsOf(Buffer.from(p12.token, 'base64url'))],
    package: formsOf(file.subarray(-300, -200)),
  };
  for (const [name, forms] of Object.entries(secrets)) {
    expect(forms.every((form) => form.length >= 24)).toBe(true);
    for (const stored of [queued, waiting, after]) expect([name, forms.filter((form) => stored.includes(form))]).toEqual([name, []]);
  }
  // The search finds what is there.
  const [stored] = await world.rows<{ key: string }>(`select encode(public_key_der, 'hex') as key from certificate where id = $1`, [
    p12.id,
  ]);
  expect([waiting.includes(stored?.key ?? '-'), after.includes('key_package.claimed')]).toEqual([true, true]);
});

test('a copy of the database opens no user’s package, not even with both keys of the service', async () => {
  const p12 = await readyP12();
  const [stored] = await world.rows<{ recipient: Buffer; hmac: Buffer; sealed: Buffer }>(
    'select recipient_key as recipient, claim_token_hmac as hmac, sealed from p12_package where certificate_id = $1',
    [p12.id],
  );
  const ring = await world.rows<{ purpose: string; wrapped: Buffer }>('select purpose, wrapped from key_ring_entry');
  const authorities = await world.rows<{ key: Buffer }>(
    'select wrapped_key as key from certificate_authority where wrapped_key is not null',
  );
  const { recipient, hmac, sealed } = stored!;
  const known = [
    masterKeys.current,
    signingKeys.current,
    recipient,
    hmac,
    sealed,
    ...ring.map(({ purpose, wrapped }) => unwrapKey(masterKeys, purpose, wrapped)),
    ...authorities.map(({ key }) => unwrapKey(signingKeys, 'certificate_authority', key)),
  ];
  expect(known.length).toBeGreaterThan(9);
  const candidates = known.flatMap((bytes) => [
    bytes.subarray(0, 32),
    bytes.subarray(-32),
    createHash('sha256').update(bytes).digest(),
    createHash('sha256').update(bytes).update(p12.id).digest(),
  ]);
  const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
  const context = { certificateId: p12.id, environment: 'sandbox' } as const;
  for (const candidate of candidates) {
    await expect(openPackage(candidate.toString('base64url'), context, sealed)).rejects.toThrow('does not open');
    const { publicKey } = await suite.kem.deriveKeyPair(new Uint8Array(candidate).buffer);
    const serialized = Buffer.from(await suite.kem.serializePublicKey(publicKey));
    expect(serialized.equals(recipient)).toBe(false);
  }
  // Only what the page has opens it.
  expect((await openPackage(p12.token, context, sealed)).password).toHaveLength(25);
});

test('an owner who mistypes is told at the field; one who comes too late is told what to do', async () => {
  const p12 = await readyP12();
  const wrong = await owner.claimP12(p12.id, Buffer.alloc(32, 9).toString('base64url'));
  expect(fieldsOf(wrong)).toEqual({ 'input.token': expect.stringMatching(/not the claim token.*4 attempts are left/) });
  expect(fieldsOf(await owner.claimP12(p12.id, 'short'))).toEqual({ 'input.token': expect.stringContaining('43 letters') });
  expect((await certificate(p12)).p12).toMatchObject({ status: 'ready', attemptsLeft: 4 });

  world.clock.advance(15 * minute);
  await owner.signIn();
  await owner.confirmFreshly();
  expect(await certificate(p12)).toMatchObject({ status: 'issued', p12: { status: 'expired' } });
  await expireP12s(world.em(), { now: world.clock.now() });
  expect(await certificate(p12)).toMatchObject({
    status: 'revoked',
    revocationReason: 'cessation_of_operation',
    p12: { status: 'expired' },
  });
  const late = await owner.claimP12(p12.id, p12.token);
  expect([codesOf(late), late.errors[0]?.message]).toEqual([
    ['CONFLICT'],
    expect.stringMatching(/within 15 minutes.*Request a new package\.$/),
  ]);
  const [mail] = await owner.mails();
  expect([mail?.subject, mail?.text]).toEqual([
    expect.stringContaining('P12 package not claimed'),
    expect.stringContaining(integration.commonName),
  ]);
});

test('an owner takes back a request that is still pending, as with one of their own', async () => {
  const { data } = await owner.requestP12(integration.clientId);
  const id = data?.certificate.id ?? '';
  expect((await owner.revokeCertificate(id)).data).toMatchObject({ status: 'revoked', p12: { status: 'revoked' } });
  await world.work();
  expect(await certificate({ id })).toMatchObject({ status: 'revoked', bundlePath: null, p12: { status: 'revoked' } });
});

test('an owner who deletes the account leaves no package behind', async () => {
  owner = await world.operator();
  integration = await owner.createIntegration();
  await owner.confirmFreshly();
  const [ready, { data }] = [await readyP12(), await owner.requestP12(integration.clientId)];
  await owner.must('deleteAccount');
  const left = await world.rows('select status, sealed from p12_package where certificate_id = any($1)', [
    [ready.id, data?.certificate.id],
  ]);
  expect(left).toEqual([1, 2].map(() => ({ status: 'revoked', sealed: null })));
});
