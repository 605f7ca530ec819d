import { createPrivateKey } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newSerial, createRootAuthority } from '../../../server/domain/certificate/certificateAuthority.ts';
import { generateSigningKey, softwareKey, softwareSigner } from '../../../server/platform/keyStore.ts';
import { untrustedCertificates } from '../../../server/platform/metrics.ts';
import { Fixtures, issueTestCertificate } from '../../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { createTestDatabase } from '../../support/run/testDatabase.ts';

const day = 24 * 60 * 60 * 1000;
const usable = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
const expired = { notBefore: new Date(Date.now() - 3 * day), notAfter: new Date(Date.now() - day) };

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

/** An authority of an attacker's own, and a certificate from it with any common name. */
async function foreignCertificate(commonName: string, lifetime: { notBefore: Date; notAfter: Date }) {
  const key = generateSigningKey('P-256');
  const root = await createRootAuthority({
    commonName: 'Test issuing',
    serial: newSerial(),
    notBefore: new Date(Date.now() - 9 * day),
    notAfter: new Date(Date.now() + 9 * day),
    key: softwareKey(key),
  });
  const issued = await issueTestCertificate({ signer: softwareSigner(root.pem, key) }, commonName, lifetime);
  return { certPem: issued.pem + root.pem, keyPem: issued.keyPem };
}

test('without a certificate the answer is 401 with a challenge and the baseline policy', async () => {
  const answer = await world.connect().call('/v1/capabilities');
  expectProblem(answer, 'client_certificate_required');
  expect(answer.headers['ratelimit-policy']).toBe('"minute";q=20;w=60, "hour";q=600;w=3600');
  expect(answer.headers).not.toHaveProperty('ratelimit');
});

test('unknown paths and methods tell nothing to a caller without a certificate', async () => {
  const machine = world.connect();
  expectProblem(await machine.call('/v1/nothing'), 'client_certificate_required');
  expectProblem(await machine.call('/v1/sync', { method: 'POST' }), 'client_certificate_required');
});

test('a certificate of another authority is invalid though its common name is right, and counts as untrusted', async () => {
  const { client } = await world.backEnd();
  const before = (await untrustedCertificates.get()).values[0]?.value ?? 0;
  expectProblem(
    await world.connect(await foreignCertificate(client.commonName, usable)).call('/v1/capabilities'),
    'client_certificate_invalid',
  );
  expectProblem(
    await world.connect(await foreignCertificate(client.commonName, expired)).call('/v1/capabilities'),
    'client_certificate_invalid',
  );
  expect((await untrustedCertificates.get()).values[0]?.value).toBe(before + 2);
});

test('a self-signed certificate with the right common name is invalid', async () => {
  const { client } = await world.backEnd();
  const key = generateSigningKey('P-256');
  const self = await createRootAuthority({ commonName: client.commonName, serial: newSerial(), ...usable, key: softwareKey(key) });
  const keyPem = createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' }).toString();
  expectProblem(await world.connect({ certPem: self.pem, keyPem }).call('/v1/capabilities'), 'client_certificate_invalid');
});

test('a certificate that our authority signed but nobody recorded is unknown', async () => {
  const { client } = await world.backEnd();
  const issued = await issueTestCertificate(world.authority, client.commonName, usable);
  expectProblem(
    await world.connect({ certPem: issued.pem + world.authority.chainPem, keyPem: issued.keyPem }).call('/v1/capabilities'),
    'client_certificate_unknown',
  );
});

test('a recorded certificate whose common name is another client’s is unknown', async () => {
  const { client } = await world.backEnd();
  const other = await world.backEnd();
  const certificate = await world.fixtures.certificate(world.authority, { ...client, number: other.client.number });
  expectProblem(await world.connect(certificate).call('/v1/capabilities'), 'client_certificate_unknown');
});

test('an expired certificate is told apart from an untrusted one', async () => {
  const { client } = await world.backEnd();
  const certificate = await world.fixtures.certificate(world.authority, client, expired);
  expectProblem(await world.connect(certificate).call('/v1/capabilities'), 'client_certificate_expired');
});

test('a certificate that expires on an open connection stops working with the next request', async () => {
  const { machine } = await world.backEnd();
  expect((await machine.call('/v1/capabilities')).status).toBe(200);
  world.clock.advance(91 * day);
  expectProblem(await machine.call('/v1/capabilities'), 'client_certificate_expired');
  world.clock.advance(-91 * day);
});

test('a certificate is of no use before its first moment, and of use from then on', async () => {
  const { client } = await world.backEnd();
  const tomorrow = new Date(world.clock.now().getTime() + day);
  const machine = world.connect(await world.fixtures.certificate(world.authority, client, { notBefore: tomorrow }));
  expectProblem(await machine.call('/v1/capabilities'), 'client_certificate_expired', {
    detail: expect.stringMatching(/^This certificate is not valid before .*Z, and our clock says .*Z\. Wait until then\.$/),
  });
  world.clock.advance(day);
  expect((await machine.call('/v1/capabilities')).status).toBe(200);
  world.clock.advance(-day);
});

test('a certificate is of no use after the end of its overlap', async () => {
  const { certificate, machine } = await world.backEnd();
  const end = new Date(Date.now() - 1_000);
  await world.fixtures.sql`update certificate set usable_until = ${end} where id = ${certificate.id}`;
  expectProblem(await machine.call('/v1/capabilities'), 'client_certificate_expired', {
    detail: `A newer certificate has replaced this one, which could be used until ${end.toISOString()}. Install the newer one.`,
  });
});

test('the very next request on a kept-alive connection sees a revocation', async () => {
  const { certificate, machine } = await world.backEnd();
  expect((await machine.call('/v1/sync')).status).toBe(200);
  await world.fixtures.revokeCertificate(certificate);
  expectProblem(await machine.call('/v1/sync'), 'client_certificate_revoked');
});

test('requests without a usable certificate are limited by address; those with one go on', async () => {
  const api = await world.secondApi({ unauthenticatedRequestsPerMinute: 3 });
  const { certificate } = await world.backEnd();
  const machine = world.connect(undefined, api);
  for (let count = 0; count < 3; count += 1) expectProblem(await machine.call('/v1/sync'), 'client_certificate_required');
  const limited = await machine.call('/v1/sync');
  expectProblem(limited, 'rate_limit_exceeded', { violated_policies: ['unauthenticated'] });
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  expect((await world.connect(certificate, api).call('/v1/sync')).status).toBe(200);
});

test('until an authority is on record callers are asked to come back, then served without a restart', async () => {
  const database = await createTestDatabase();
  const fixtures = new Fixtures(database.url);
  const api = await world.secondApi({ databaseUrl: database.url });
  try {
    expect(await api.state()).toBe('no_authorities');
    const { certificate: stranger } = await world.backEnd();
    expectProblem(await world.connect(stranger, api).call('/v1/capabilities'), 'temporarily_unavailable', { retry_after_seconds: 5 });
    const authority = await fixtures.authorities();
    const certificate = await fixtures.certificate(authority, await fixtures.client());
    const machine = world.connect(certificate, api);
    for (;;) {
      const answer = await machine.call('/v1/capabilities');
      if (answer.status === 200) break;
      expectProblem(answer, 'temporarily_unavailable');
    }
    expect(await api.state()).toBe('ready');
  } finally {
    await api.close();
    await fixtures.end();
    await database.drop();
  }
});
