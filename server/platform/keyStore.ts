import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import type { CertificateSigner, SigningKey } from '../domain/certificate/CertificateSigner.ts';

const version = 1;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + keyIdBytes;

/**
 * Encrypts a secret for storage with AES-256-GCM under `masterKey` (32 bytes) and binds it to `purpose`: what was wrapped for one purpose
 * cannot be opened for another. Layout: version (1) | key id (8) | nonce (12) | ciphertext | tag (16).
 */
export function wrapKey(masterKey: Buffer, purpose: string, plaintext: Buffer): Buffer {
  const header = headerFor(masterKey);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', masterKey, nonce).setAAD(associatedData(header, purpose));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
}

/** Opens what `wrapKey` made. Throws an Error that names the purpose and the reason (another key, altered bytes), never any bytes. */
export function unwrapKey(masterKey: Buffer, purpose: string, wrapped: Buffer): Buffer {
  const header = headerFor(masterKey);
  if (wrapped.length < headerBytes + nonceBytes + tagBytes || wrapped[0] !== version) {
    throw new Error(`The stored secret for ${purpose} has an unknown format.`);
  }
  if (!wrapped.subarray(0, headerBytes).equals(header)) {
    throw new Error(`The stored secret for ${purpose} was wrapped under another key.`);
  }
  const nonce = wrapped.subarray(headerBytes, headerBytes + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(header, purpose)).setAuthTag(wrapped.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(wrapped.subarray(headerBytes + nonceBytes, -tagBytes)), decipher.final()]);
  } catch {
    throw new Error(`The stored secret for ${purpose} was altered or belongs to another purpose.`);
  }
}

/** A new EC private key (PKCS#8 DER): P-384 for a root, P-256 for an issuing authority. */
export function generateSigningKey(curve: 'P-256' | 'P-384'): Buffer {
  return generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ format: 'der', type: 'pkcs8' });
}

/** A signing key held in memory. `pkcs8Der` is an EC key on P-256 or P-384; throws Error on any other curve. */
export function softwareKey(pkcs8Der: Buffer): SigningKey {
  const key = createPrivateKey({ key: pkcs8Der, format: 'der', type: 'pkcs8' });
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (curve !== 'prime256v1' && curve !== 'secp384r1') throw new Error('A signing key must be EC P-256 or P-384.');
  const hash = curve === 'secp384r1' ? 'sha384' : 'sha256';
  return {
    publicKeyDer: createPublicKey(key).export({ format: 'der', type: 'spki' }),
    algorithm: hash === 'sha384' ? 'ecdsa-with-SHA384' : 'ecdsa-with-SHA256',
    sign: async (data) => sign(hash, data, key),
  };
}

/** An authority whose key is held in memory. Throws Error if the key does not belong to the certificate. */
export function softwareSigner(issuerCertificatePem: string, pkcs8Der: Buffer): CertificateSigner {
  const certificate = new X509Certificate(issuerCertificatePem);
  const key = softwareKey(pkcs8Der);
  if (!certificate.publicKey.export({ format: 'der', type: 'spki' }).equals(key.publicKeyDer)) {
    throw new Error('The signing key does not belong to the issuer’s certificate.');
  }
  return { ...key, issuerCertificateDer: certificate.raw };
}

/** Names the key in the header of what it wraps, so that after a rotation old and new can be told apart without trying. */
function headerFor(masterKey: Buffer): Buffer {
  if (masterKey.length !== 32) throw new Error('A master key must have 32 bytes.');
  const keyId = createHash('sha256').update(masterKey).digest().subarray(0, keyIdBytes);
  return Buffer.concat([Buffer.from([version]), keyId]);
}

function associatedData(header: Buffer, purpose: string): Buffer {
  return Buffer.concat([header, Buffer.from(purpose)]);
}
