import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate, id_ce_authorityKeyIdentifier } from '@peculiar/asn1-x509';
import { authorityName } from '../../../server/domain/certificate/authorityNames.ts';
import { createRootAuthority, newSerial } from '../../../server/domain/certificate/certificateAuthority.ts';
import { arrayBuffer } from '../../../server/domain/certificate/certificateEncoding.ts';
import type { CertificateSigner } from '../../../server/domain/certificate/CertificateSigner.ts';
import { generateSigningKey, softwareKey, softwareSigner } from '../../../server/platform/keyStore.ts';
import { expectProblem } from '../../support/clients/problems.ts';
import { issueTestCertificate } from '../../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';

const day = 24 * 60 * 60 * 1000;
const lifetime = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
/** The common name of the world’s own issuing authority. */
const ourName = 'Test issuing';

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());

/** What another authority with this name has issued to a client of ours. */
async function issuedBy(authority: string): Promise<{ certPem: string; keyPem: string; signer: CertificateSigner }> {
  const { client } = await world.backEnd();
  const key = generateSigningKey('P-256');
  const { pem } = await createRootAuthority({ commonName: authority, serial: newSerial(), ...lifetime, key: softwareKey(key) });
  const signer = softwareSigner(pem, key);
  const issued = await issueTestCertificate({ signer }, client.commonName, lifetime);
  return { certPem: issued.pem, keyPem: issued.keyPem, signer };
}

/** The same certificate, signed again, without the identifier of its authority’s key, so that only the name leads to the authority. */
async function withoutKeyIdentifier(certPem: string, signer: CertificateSigner): Promise<string> {
  const certificate = AsnConvert.parse(new X509Certificate(certPem).raw, Certificate);
  const { tbsCertificate } = certificate;
  const extensions = tbsCertificate.extensions ?? [];
  extensions.splice(
    extensions.findIndex(({ extnID }) => extnID === id_ce_authorityKeyIdentifier),
    1,
  );
  delete certificate.tbsCertificateRaw;
  certificate.signatureValue = arrayBuffer(await signer.sign(Buffer.from(AsnConvert.serialize(tbsCertificate))));
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString();
}

/** Makes 15 calls, each on a connection of its own, and prints their statuses or errors. */
const caller = `
import { request } from 'node:https';
const { url, ...options } = JSON.parse(process.argv[1]);
const call = () => new Promise((resolve) => {
  request(url, { ...options, agent: false }, (answer) => resolve(answer.statusCode)).on('error', ({ code }) => resolve(code)).end();
});
for (let count = 0; count < 15; count += 1) console.log(await call());
process.exit();`;

test.each(['TLSv1.2', 'TLSv1.3'])(
  'a certificate of a strange authority with our authority’s name is answered 401 each time over %s',
  async (version) => {
    const { certPem, keyPem, signer } = await issuedBy(ourName);
    const options = {
      url: `${world.machineApiUrl}/v1/capabilities`,
      ca: world.tls.caPem,
      cert: await withoutKeyIdentifier(certPem, signer),
      key: keyPem,
    };
    // In a process of its own, because what a caller does in this one would clear OpenSSL’s errors for the server as well.
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      caller,
      JSON.stringify({ ...options, minVersion: version, maxVersion: version }),
    ]);
    expect(stdout.trim().split('\n')).toEqual(Array(15).fill('401'));
  },
);

test.each([
  [
    'is told that it is of another installation',
    authorityName('issuing', '0a1b2c3d'),
    /^The certificate is of another installation of this service: its issuer, Operator Integration Service Issuing CA 0a1b2c3d, is not/,
  ],
  [
    'is told so too if that has an authority of a former release',
    'Operator Integration Service Issuing CA',
    /another installation.* Operator Integration Service Issuing CA, is not/,
  ],
  ['is told that the signature does not fit if only the name is ours', ourName, /the signature does not fit/],
  [
    'is told no more of a name that is none of ours',
    'Operator Integration Service Issuing CA\u202e',
    /^Present a certificate issued by this service/,
  ],
])('a back end with a certificate of another authority %s', async (_, authority, detail) => {
  const answer = await world.connect(await issuedBy(authority)).call('/v1/capabilities');
  expectProblem(answer, 'client_certificate_invalid', { detail: expect.stringMatching(detail) });
});

test('a certificate of an authority of ours that has ended is not said to be of another installation', async () => {
  const { certPem, keyPem, signer } = await issuedBy(authorityName('issuing', 'ended'));
  const id = 'issuing-ended';
  await world.fixtures.sql`insert into certificate_authority (id, kind, certificate_pem, not_after, created_at, retired_at)
    values (${id}, 'issuing', ${new X509Certificate(signer.issuerCertificateDer).toString()}, ${new Date(Date.now() - 1)}, ${lifetime.notBefore}, ${new Date()})`;
  const api = await world.secondApi();
  const answer = await world.connect({ certPem, keyPem }, api).call('/v1/capabilities');
  expectProblem(answer, 'client_certificate_invalid', { detail: expect.stringMatching(/^Present a certificate/) });
});
