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

/** The key that wraps secrets and, while it is being changed, the one that wrapped them before. Each has 32 bytes. */
export type WrappingKeys = {
  /** The variable that holds the current key; that of the previous one has `_PREVIOUS` behind it. */
  readonly variable: 'MASTER_KEY' | 'SIGNING_KEY';
  readonly current: Buffer;
  readonly previous?: Buffer | undefined;
};

/** The name of a wrapping key in what it wraps, in messages and on the terminal: 16 hexadecimal digits of its SHA-256. */
export function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest().subarray(0, keyIdBytes).toString('hex');
}

/** The name of the key that wraps a stored secret. */
function wrappedUnder(wrapped: Buffer): string {
  return wrapped.subarray(1, headerBytes).toString('hex');
}

/**
 * Encrypts a secret for storage with AES-256-GCM under `wrappingKey` (32 bytes) and binds it to `purpose`: what was wrapped for one purpose
 * cannot be opened for another. Layout: version (1) | key id (8) | nonce (12) | ciphertext | tag (16).
 */
export function wrapKey(wrappingKey: Buffer, purpose: string, plaintext: Buffer): Buffer {
  const header = headerFor(wrappingKey);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, nonce).setAAD(associatedData(header, purpose));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
}

/** Opens what `wrapKey` made. Throws an Error that names the purpose and the reason (another key, altered bytes), never any bytes. */
export function unwrapKey(keys: WrappingKeys, purpose: string, wrapped: Buffer): Buffer {
  if (wrapped.length < headerBytes + nonceBytes + tagBytes || wrapped[0] !== version) {
    throw new Error(`The stored secret for ${purpose} has an unknown format.`);
  }
  const key = wrappingKeyOf(keys, purpose, wrapped);
  const header = headerFor(key);
  const nonce = wrapped.subarray(headerBytes, headerBytes + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(header, purpose)).setAuthTag(wrapped.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(wrapped.subarray(headerBytes + nonceBytes, -tagBytes)), decipher.final()]);
  } catch {
    throw new Error(`The stored secret for ${purpose} was altered or belongs to another purpose.`);
  }
}

/** The one of the process's keys that wrapped the secret. */
export function wrappingKeyOf({ variable, current, previous }: WrappingKeys, purpose: string, wrapped: Buffer): Buffer {
  const wanted = wrappedUnder(wrapped);
  const key = [current, previous].find((each) => each !== undefined && keyId(each) === wanted);
  if (key) return key;
  const before = previous ? keyId(previous) : 'not set';
  throw new Error(
    `The stored secret for ${purpose} is wrapped under the key ${wanted}, which this process does not have: ${variable} is the key ${keyId(current)}, and ${variable}_PREVIOUS is ${before}.`,
  );
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
function headerFor(wrappingKey: Buffer): Buffer {
  if (wrappingKey.length !== 32) throw new Error('A wrapping key must have 32 bytes.');
  return Buffer.concat([Buffer.from([version]), Buffer.from(keyId(wrappingKey), 'hex')]);
}

function associatedData(header: Buffer, purpose: string): Buffer {
  return Buffer.concat([header, Buffer.from(purpose)]);
}
