import { createDecipheriv, createHmac, type CipherGCMTypes } from 'node:crypto';
import { hasUsualKey } from './hasUsualKey.ts';

/** Why a handshake is not gone on with: it sends too much, it cannot be followed, or a certificate has a key that may take long to use. */
export type HandshakeRefusal = 'too_large' | 'unreadable' | 'unusual_key';

/** RFC 8446, 5.1. */
const recordType = { changeCipherSpec: 20, alert: 21, handshake: 22, applicationData: 23 } as const;
/** RFC 8446, 4, and RFC 8879. */
const messageType = { certificate: 11, serverHelloDone: 14, finished: 20, compressedCertificate: 25 } as const;
const headerBytes = 5;
/** `Finished` of TLS 1.2 once it is encrypted, at most, by AES-CBC with SHA-384. All else that follows a change of ciphers is longer. */
const encryptedFinishedBytes = 96;

/**
 * Follows what one side sends in a TLS handshake, record by record and before OpenSSL sees it, so that no certificate reaches OpenSSL that
 * would hold the event loop. OpenSSL reads and verifies a presented chain within the handshake, in one piece, and before it is known whether the
 * chain leads anywhere; of which key each certificate is, its sender decides. Measured with OpenSSL 3.5: 0.2 s for 840 bytes with a curve of
 * its own, 10 ms for each RSA key with a long exponent, and Node takes 100 KiB of them and has no setting for less.
 *
 * TLS 1.3 encrypts certificates, with a secret that Node tells before they come (its event `keylog`). What cannot be followed is refused.
 */
export class HandshakeInspection {
  readonly #label: string;
  #left: number;
  #keys: Keys | undefined;
  /** How many encrypted records have come. */
  #sequence = 0n;
  /** The beginning of a message whose rest has not come yet. */
  #begun: Buffer = Buffer.alloc(0);
  /** A change of ciphers has come before any key: the end of a handshake of TLS 1.2, or an empty gesture before another greeting of TLS 1.3. */
  #changed = false;
  #finished: 'no' | 'TLSv1.2' | 'TLSv1.3' = 'no';
  #isAmidst = false;

  /** `side` is whose bytes these are; `most` is how many it may send, until nobody asks any more. */
  constructor(side: 'client' | 'server', most: number) {
    this.#label = `${side.toUpperCase()}_HANDSHAKE_TRAFFIC_SECRET`;
    this.#left = most;
  }

  /**
   * Whether a certificate has come without the end of what is sent together with it. OpenSSL is to get both at once: if the certificate's signature
   * does not fit, Node would take OpenSSL's note of that for a failure of the connection before the handshake is over.
   */
  get isAmidst(): boolean {
    return this.#isAmidst;
  }

  /** Takes one line of a key log (RFC 9850), which must come before the records that its secret encrypts. */
  learn(line: Buffer): void {
    const [label, , secret] = line.toString().trim().split(' ');
    if (label === this.#label && secret !== undefined) this.#keys = keysOf(Buffer.from(secret, 'hex'));
  }

  /** Whether this record, with its header, may go on to OpenSSL: undefined, or why it may not. */
  refusal(record: Buffer): HandshakeRefusal | undefined {
    this.#left -= record.length;
    if (this.#left < 0) return 'too_large';
    try {
      return this.#refusal(record);
    } catch {
      // It is too short for what it claims to be, or it is encrypted in another way.
      return 'unreadable';
    }
  }

  #refusal(record: Buffer): HandshakeRefusal | undefined {
    const body = record.subarray(headerBytes);
    switch (record[0]) {
      case recordType.alert:
        return undefined;
      case recordType.changeCipherSpec:
        this.#changed = this.#keys === undefined;
        return this.#begun.length > 0 ? 'unreadable' : undefined;
      case recordType.handshake:
        if (this.#finished !== 'no') return 'unreadable';
        if (this.#changed && body.length <= encryptedFinishedBytes) return this.#finish('TLSv1.2');
        this.#changed = false;
        return this.#messages(body);
      case recordType.applicationData: {
        if (this.#finished !== 'no') return undefined;
        const { type, content } = this.#decrypted(record);
        return type === recordType.handshake ? this.#messages(content) : undefined;
      }
      default:
        return 'unreadable';
    }
  }

  #messages(bytes: Buffer): HandshakeRefusal | undefined {
    let rest = Buffer.concat([this.#begun, bytes]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readUIntBE(1, 3)) {
      const end = 4 + rest.readUIntBE(1, 3);
      const message = rest.subarray(4, end);
      const type = rest[0];
      rest = rest.subarray(end);
      if (type === messageType.compressedCertificate) return 'unreadable';
      if (type === messageType.certificate) {
        if (!this.#certificates(message).every(hasUsualKey)) return 'unusual_key';
        this.#isAmidst = true;
      }
      if (type === messageType.serverHelloDone) this.#isAmidst = false;
      if (type === messageType.finished && this.#keys) this.#finish('TLSv1.3');
    }
    this.#begun = rest;
    return undefined;
  }

  #finish(version: 'TLSv1.2' | 'TLSv1.3'): undefined {
    this.#finished = version;
    this.#isAmidst = false;
  }

  /** In TLS 1.3 (RFC 8446, 4.4.2), a context comes before the list and extensions after each certificate; in TLS 1.2 (RFC 5246, 7.4.2) neither. */
  #certificates(message: Buffer): Buffer[] {
    const certificates: Buffer[] = [];
    const start = this.#keys ? 1 + message.readUInt8() : 0;
    const end = start + 3 + message.readUIntBE(start, 3);
    for (let at = start + 3; at < end;) {
      const next = at + 3 + message.readUIntBE(at, 3);
      if (next > message.length) throw new RangeError('a certificate that is cut off');
      certificates.push(message.subarray(at + 3, next));
      at = this.#keys ? next + 2 + message.readUInt16BE(next) : next;
    }
    return certificates;
  }

  #decrypted(record: Buffer): { readonly type: number | undefined; readonly content: Buffer } {
    if (!this.#keys) throw new RangeError('a record before its key');
    const plain = decrypted(record, this.#keys, this.#sequence);
    this.#sequence += 1n;
    // Behind the content come its type and any number of zeros.
    const last = plain.findLastIndex((byte) => byte !== 0);
    return { type: plain[last], content: plain.subarray(0, Math.max(0, last)) };
  }
}

type Keys = { readonly aes: Buffer; readonly aesName: CipherGCMTypes; readonly chaCha: Buffer; readonly iv: Buffer };

/** RFC 8446, 7.3. The key log does not say which cipher was agreed on, but how long the secret is: 48 bytes for AES-256, otherwise 32. */
function keysOf(secret: Buffer): Keys {
  const hash = secret.length === 48 ? 'sha384' : 'sha256';
  const expand = (label: string, length: number) => {
    const name = Buffer.from(`tls13 ${label}`);
    const info = Buffer.concat([Buffer.from([0, length, name.length]), name, Buffer.from([0, 1])]);
    return createHmac(hash, secret).update(info).digest().subarray(0, length);
  };
  const aesBytes = hash === 'sha384' ? 32 : 16;
  return {
    aes: expand('key', aesBytes),
    aesName: hash === 'sha384' ? 'aes-256-gcm' : 'aes-128-gcm',
    chaCha: expand('key', 32),
    iv: expand('iv', 12),
  };
}

/** RFC 8446, 5.2 and 5.3. Throws if neither cipher fits. */
function decrypted(record: Buffer, { aes, aesName, chaCha, iv }: Keys, sequence: bigint): Buffer {
  const nonce = Buffer.from(iv);
  nonce.writeBigUInt64BE(nonce.readBigUInt64BE(4) ^ sequence, 4);
  const tag = record.subarray(-16);
  const encrypted = record.subarray(headerBytes, -16);
  const open = (decipher: ReturnType<typeof createDecipheriv>) => {
    const plain = decipher.update(encrypted);
    decipher.final();
    return plain;
  };
  const header = record.subarray(0, headerBytes);
  try {
    return open(createDecipheriv(aesName, aes, nonce, { authTagLength: 16 }).setAAD(header).setAuthTag(tag));
  } catch (error) {
    if (aesName !== 'aes-128-gcm') throw error;
    const options = { authTagLength: 16 };
    return open(
      createDecipheriv('chacha20-poly1305', chaCha, nonce, options).setAAD(header, { plaintextLength: encrypted.length }).setAuthTag(tag),
    );
  }
}
