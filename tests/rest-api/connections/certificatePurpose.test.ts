import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, test } from '@jest/globals';
import {
  BasicConstraints,
  type Extension,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_kp_clientAuth,
  id_kp_serverAuth,
} from '@peculiar/asn1-x509';
import { newSerial } from '../../../server/domain/certificate/certificateAuthority.ts';
import { extension, signCertificate } from '../../../server/domain/certificate/certificateEncoding.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';
import { expectProblem } from '../../support/clients/problems.ts';

const day = 24 * 60 * 60 * 1000;
const usable = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
const expired = { notBefore: new Date(Date.now() - 3 * day), notAfter: new Date(Date.now() - day) };

const purpose = (...purposes: string[]) => extension(id_ce_extKeyUsage, new ExtendedKeyUsage(purposes));
const authority = (cA: boolean) => extension(id_ce_basicConstraints, new BasicConstraints({ cA }), true);

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

const names: Readonly<Record<string, string>> = { [id_ce_basicConstraints]: 'basicConstraints', [id_ce_extKeyUsage]: 'extKeyUsage' };
const expected = (extensions: Extension[]) =>
  Object.fromEntries(
    extensions.map(({ extnID, critical, extnValue }) => [
      names[extnID],
      { critical, value: Buffer.from(extnValue.buffer).toString('hex') },
    ]),
  );

/** Calls with a certificate from our own authority that is not on record, made out to a client's name with these extensions. */
async function callWith(extensions: Extension[], lifetime = usable) {
  const { client } = await world.backEnd();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { signer, chainPem } = world.authority;
  const { pem } = await signCertificate({
    ...lifetime,
    profile: { lifetime: 2 * day, extensions: expected(extensions) },
    issuerCertificateDer: signer.issuerCertificateDer,
    key: signer,
    publicKeyDer: publicKey.export({ format: 'der', type: 'spki' }),
    commonName: client.commonName,
    serial: newSerial(),
    extensions,
  });
  const keyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return world.connect({ certPem: pem + chainPem, keyPem }).call('/v1/capabilities');
}

// TLS accepts a certificate that states no purpose, and of one that has also expired it reports only the expiry.
test.each<[string, Extension[], typeof usable]>([
  ['states no purpose', [authority(false)], usable],
  ['is for servers', [authority(false), purpose(id_kp_serverAuth)], usable],
  ['is for servers and expired', [authority(false), purpose(id_kp_serverAuth)], expired],
  ['is an authority itself', [authority(true), purpose(id_kp_clientAuth)], usable],
  ['is an authority itself and expired', [authority(true), purpose(id_kp_clientAuth)], expired],
])('a certificate of our authority that %s is invalid', async (_, extensions, lifetime) => {
  expectProblem(await callWith(extensions, lifetime), 'client_certificate_invalid');
});

test('one that is for clients, among other purposes, is judged by what is on record', async () => {
  expectProblem(await callWith([authority(false), purpose(id_kp_serverAuth, id_kp_clientAuth)]), 'client_certificate_unknown');
  expectProblem(await callWith([purpose(id_kp_clientAuth)], expired), 'client_certificate_expired');
});
