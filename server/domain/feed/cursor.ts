import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { KeySet } from '../shared/keySet.ts';

type FeedPosition = { readonly clientNumber: number; readonly epoch: number; readonly position: number };

type CursorCodec = {
  /** Tells the cursors of one key from those of another. */
  readonly tag: string;
  encode(position: FeedPosition): string;
  /** The position, or null if this service did not create the text or created it for another client. The caller judges epoch and head. */
  decode(cursor: string, clientNumber: number): FeedPosition | null;
};

/** The codecs of all keys under which cursors are read; `current` makes new ones. */
export type CursorCodecs = Pick<CursorCodec, 'decode'> & { readonly current: CursorCodec };

const version = 1;
const ivBytes = 16;
const plaintextBytes = 17;
const cursorForm = /^[A-Za-z0-9_-]{44}$/;

/**
 * Opaque cursors with authenticated, deterministic encryption, so that equal positions give equal pages and a strong ETag is correct. As in
 * SIV, the nonce is a MAC of the plaintext (docs/decisions/machine-api/0036). Layout: nonce (16) | version (1), client (4), epoch (4),
 * position (8).
 */
export function createCursorCodec(key: Buffer): CursorCodec {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), use, 32));
  const macKey = derive('cursor nonce');
  const cipherKey = derive('cursor encryption');
  const nonceOf = (plaintext: Buffer) => createHmac('sha256', macKey).update(plaintext).digest().subarray(0, ivBytes);

  return {
    tag: createHmac('sha256', macKey).update('tag').digest().subarray(0, 6).toString('base64url'),
    encode(position) {
      const plaintext = pack(position);
      const nonce = nonceOf(plaintext);
      const cipher = createCipheriv('aes-256-ctr', cipherKey, nonce);
      return Buffer.concat([nonce, cipher.update(plaintext), cipher.final()]).toString('base64url');
    },
    decode(cursor, clientNumber) {
      if (!cursorForm.test(cursor)) return null;
      const bytes = Buffer.from(cursor, 'base64url');
      const nonce = bytes.subarray(0, ivBytes);
      const decipher = createDecipheriv('aes-256-ctr', cipherKey, nonce);
      const plaintext = Buffer.concat([decipher.update(bytes.subarray(ivBytes)), decipher.final()]);
      if (!timingSafeEqual(nonce, nonceOf(plaintext)) || plaintext[0] !== version) return null;
      const position = unpack(plaintext);
      return position.clientNumber === clientNumber ? position : null;
    },
  };
}

/** Cursors have no end, so they are read under every key that ever made one (docs/specification.md, “Keys at rest”). */
export function createCursorCodecs(keys: KeySet): CursorCodecs {
  const codecs = new WeakMap<Buffer, CursorCodec>();
  const codecOf = (key: Buffer): CursorCodec => {
    const known = codecs.get(key) ?? createCursorCodec(key);
    codecs.set(key, known);
    return known;
  };
  return {
    get current() {
      return codecOf(keys.current);
    },
    decode(cursor, clientNumber) {
      for (const key of keys.readable) {
        const position = codecOf(key).decode(cursor, clientNumber);
        if (position) return position;
      }
      return null;
    },
  };
}

function pack({ clientNumber, epoch, position }: FeedPosition): Buffer {
  const plaintext = Buffer.alloc(plaintextBytes);
  plaintext.writeUInt8(version, 0);
  plaintext.writeUInt32BE(clientNumber, 1);
  plaintext.writeUInt32BE(epoch, 5);
  plaintext.writeBigUInt64BE(BigInt(position), 9);
  return plaintext;
}

function unpack(plaintext: Buffer): FeedPosition {
  return {
    clientNumber: plaintext.readUInt32BE(1),
    epoch: plaintext.readUInt32BE(5),
    position: Number(plaintext.readBigUInt64BE(9)),
  };
}
