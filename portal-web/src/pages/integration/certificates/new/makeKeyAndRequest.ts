import { bitString, element, integer, tag } from './encodeDer.ts';

/** A private key that was made on this page (PKCS#8) and the certificate request for it (PKCS#10), both as PEM text. */
export type KeyAndRequest = { readonly keyPem: string; readonly csrPem: string };

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;
/** 2.5.4.3 and 1.2.840.10045.4.3.2, with their tags and lengths. */
const commonNameType = Uint8Array.of(tag.objectIdentifier, 3, 0x55, 4, 3);
const ecdsaWithSha256 = element(tag.sequence, Uint8Array.of(tag.objectIdentifier, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2));

/**
 * Makes an EC P-256 key in the browser and a certificate request for it, with this common name and nothing else (docs/specification.md,
 * “Certificate requests”). Only the request is meant to be sent. Rejects if the browser cannot make keys on this page.
 */
export async function makeKeyAndRequest(commonName: string): Promise<KeyAndRequest> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const info = requestInfo(commonName, new Uint8Array(await crypto.subtle.exportKey('spki', publicKey)));
  const signature = new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, info));
  const request = element(tag.sequence, info, ecdsaWithSha256, bitString(ecdsaSignature(signature)));
  return {
    keyPem: pem('PRIVATE KEY', new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))),
    csrPem: pem('CERTIFICATE REQUEST', request),
  };
}

/** CertificationRequestInfo of RFC 2986: version 1 (encoded as 0), the subject, the public key, no attributes. */
function requestInfo(commonName: string, publicKey: Uint8Array) {
  const value = element(tag.utf8String, new TextEncoder().encode(commonName));
  const subject = element(tag.sequence, element(tag.set, element(tag.sequence, commonNameType, value)));
  return element(tag.sequence, integer(Uint8Array.of(0)), subject, publicKey, element(tag.context0));
}

/** WebCrypto returns r and s one after the other; X.509 wants a SEQUENCE of two INTEGERs (RFC 5480, appendix A). */
function ecdsaSignature(bytes: Uint8Array) {
  const half = bytes.length / 2;
  return element(tag.sequence, integer(bytes.subarray(0, half)), integer(bytes.subarray(half)));
}

function pem(label: string, bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
