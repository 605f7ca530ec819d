import 'reflect-metadata';
import { createHash, randomBytes, sign, KeyObject, webcrypto } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BasicConstraintsExtension, CRLDistributionPointsExtension, X509CertificateGenerator, type X509Certificate } from '@peculiar/x509';
import { expect, test } from '@jest/globals';
import { SettingsService, type RegistrationResponseJSON } from '@simplewebauthn/server';
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers';
import { SoftwarePasskey } from '../../../../demo/SoftwarePasskey.ts';
import { registrationOptions, verifyRegistration } from '../../../../server/domain/account/passkey/webauthn.ts';

const rp = { id: 'localhost', origin: 'http://localhost:3000', name: 'Test' };
const signing = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const lifetime = { notBefore: new Date('2020-01-01'), notAfter: new Date('2049-01-01') };

/** A maker of authenticators, and one of its authenticators, whose certificate gives the address of the maker's revocation list. */
async function maker(crl: string): Promise<{ root: X509Certificate; leaf: X509Certificate; key: KeyObject }> {
  const [rootKeys, leafKeys] = await Promise.all([1, 2].map(() => webcrypto.subtle.generateKey(signing, true, ['sign', 'verify'])));
  if (!rootKeys || !leafKeys) throw new Error('No keys.');
  const root = await X509CertificateGenerator.createSelfSigned({
    ...lifetime,
    name: 'CN=Maker',
    keys: rootKeys,
    signingAlgorithm: signing,
    extensions: [new BasicConstraintsExtension(true)],
  });
  const leaf = await X509CertificateGenerator.create({
    ...lifetime,
    subject: 'C=DE, O=Maker, OU=Authenticator Attestation, CN=Authenticator',
    issuer: root.subject,
    publicKey: leafKeys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: signing,
    extensions: [new BasicConstraintsExtension(false), new CRLDistributionPointsExtension([crl])],
  });
  return { root, leaf, key: KeyObject.from(leafKeys.privateKey) };
}

/** The answer of a passkey that says who made it, which nobody has asked. */
function attested(response: RegistrationResponseJSON, { leaf, key }: { leaf: X509Certificate; key: KeyObject }): RegistrationResponseJSON {
  const authData = decodeAttestationObject(Buffer.from(response.response.attestationObject, 'base64url')).get('authData');
  const clientDataHash = createHash('sha256').update(Buffer.from(response.response.clientDataJSON, 'base64url')).digest();
  const signature = sign('sha256', Buffer.concat([authData, clientDataHash]), key);
  const statement = new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(signature)],
    ['x5c', [new Uint8Array(leaf.rawData)]],
  ]);
  const object = isoCBOR.encode(
    new Map<string, unknown>([
      ['fmt', 'packed'],
      ['attStmt', statement],
      ['authData', authData],
    ]) as never,
  );
  return { ...response, response: { ...response.response, attestationObject: Buffer.from(object).toString('base64url') } };
}

test('a passkey that says who made it is accepted like any other, and the addresses in its statement are never called', async () => {
  const called: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    called.push(url);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const before = SettingsService.getRootCertificates({ identifier: 'packed' });
  try {
    const made = await maker(`http://127.0.0.1:${(server.address() as AddressInfo).port}/maker.crl`);
    // The library trusts Apple's and Google's roots by itself; this makes it trust ours, too.
    SettingsService.setRootCertificates({ identifier: 'packed', certificates: [made.root.toString('pem')] });
    const options = await registrationOptions(rp, {
      challenge: new Uint8Array(32),
      email: 'vic@corp.example',
      userHandle: randomBytes(32),
      existing: [],
    });
    const response = attested(new SoftwarePasskey().create(options, rp.origin), made);
    expect(await verifyRegistration(rp, response, options.challenge)).toMatchObject({ accepted: true, credential: { id: response.id } });
    expect(called).toEqual([]);
  } finally {
    SettingsService.setRootCertificates({ identifier: 'packed', certificates: before });
    await new Promise((resolve) => server.close(resolve));
  }
});
