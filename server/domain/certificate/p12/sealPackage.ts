import { hkdfSync } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import type { Environment } from '../../shared/environment.ts';

/** HPKE (RFC 9180), base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
const encapsulatedBytes = 32;
const passwordBytes = 25;

/** Whose package it is. Tokens, keys and sealed bytes are bound to it, so that nothing opens in another one's place. */
export type SealedFor = { readonly certificateId: string; readonly environment: Environment };

/** What its owner is given. */
type OpenedPackage = { readonly pkcs12: Buffer; readonly password: string };

/** The public key to which a package is sealed. Its private half follows from the claim token and is stored nowhere. */
export async function recipientKeyOf(token: string, sealedFor: SealedFor): Promise<Buffer> {
  const { publicKey } = await keyPairOf(token, sealedFor);
  return Buffer.from(await suite.kem.serializePublicKey(publicKey));
}

/** Seals a package together with its password. The result opens for the claim token alone. The caller clears what it passes. */
export async function sealPackage(recipientKey: Buffer, sealedFor: SealedFor, { pkcs12, password }: OpenedPackage): Promise<Buffer> {
  if (!/^[!-~]{25}$/.test(password)) throw new RangeError('A password has 25 characters of printable ASCII.');
  const plaintext = Buffer.alloc(passwordBytes + pkcs12.length);
  plaintext.write(password, 'ascii');
  pkcs12.copy(plaintext, passwordBytes);
  const recipientPublicKey = await suite.kem.deserializePublicKey(arrayBuffer(recipientKey));
  const sealed = await suite.seal({ recipientPublicKey, info: contextOf(sealedFor) }, plaintext.buffer);
  plaintext.fill(0);
  return Buffer.concat([Buffer.from(sealed.enc), Buffer.from(sealed.ct)]);
}

/** Opens what `sealPackage` made. Throws with another token, for another certificate, or if a byte was altered. */
export async function openPackage(token: string, sealedFor: SealedFor, sealed: Buffer): Promise<OpenedPackage> {
  const { privateKey } = await keyPairOf(token, sealedFor);
  const enc = arrayBuffer(sealed.subarray(0, encapsulatedBytes));
  const ciphertext = arrayBuffer(sealed.subarray(encapsulatedBytes));
  const plaintext = await suite.open({ recipientKey: privateKey, enc, info: contextOf(sealedFor) }, ciphertext).then(
    (opened) => Buffer.from(opened),
    () => {
      throw new Error('The sealed package does not open.');
    },
  );
  return { password: plaintext.subarray(0, passwordBytes).toString(), pkcs12: plaintext.subarray(passwordBytes) };
}

/** Deterministic (RFC 9180, 7.1.3), from key material that HKDF takes from the token's 32 random bytes. */
async function keyPairOf(token: string, sealedFor: SealedFor) {
  const secret = Buffer.from(token, 'base64url');
  const material = hkdfSync('sha256', secret, Buffer.alloc(0), new Uint8Array(contextOf(sealedFor)), 32);
  try {
    return await suite.kem.deriveKeyPair(material);
  } finally {
    secret.fill(0);
    new Uint8Array(material).fill(0);
  }
}

function contextOf({ certificateId, environment }: SealedFor): ArrayBuffer {
  return arrayBuffer(Buffer.from(`operator-integration-service p12 v1 ${environment} ${certificateId}`));
}

/** The library takes ArrayBuffers, and that of a Buffer may be a shared pool. */
function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
