import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { element, sequence } from './der.ts';

const identifier = (hex: string): Buffer => element(0x06, Buffer.from(hex, 'hex'));
const oid = { commonName: identifier('550403'), ecdsaWithSha256: identifier('2a8648ce3d040302') } as const;

/** A new P-256 key, and the request (PKCS#10) that it signs. Only the request is sent; the key stays where it was made. */
export function newCertificateRequest(commonName: string) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const attribute = sequence(oid.commonName, element(0x0c, Buffer.from(commonName)));
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const version = element(0x02, Buffer.from([0]));
  const noAttributes = element(0xa0);
  const info = sequence(version, sequence(element(0x31, attribute)), publicKey, noAttributes);
  const signature = element(0x03, Buffer.from([0]), sign('sha256', info, privateKey));
  const requestDer = sequence(info, sequence(oid.ecdsaWithSha256), signature);
  return {
    keyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    requestDer,
    requestPem: pem('CERTIFICATE REQUEST', requestDer),
  };
}

export function pem(label: string, der: Buffer): string {
  return `-----BEGIN ${label}-----\n${der.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;
}
