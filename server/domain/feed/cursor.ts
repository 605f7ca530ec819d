import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Where a client is in its feed. */
export type FeedPosition = { readonly clientNo: number; readonly epoch: number; readonly position: number };

export type CursorCodec = {
  encode(position: FeedPosition): string;
  /** The position, or null if this service did not create the text or created it for another client. The caller judges epoch and head. */
  decode(cursor: string, clientNo: number): FeedPosition | null;
};

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
    encode(position) {
      const plaintext = pack(position);
      const nonce = nonceOf(plaintext);
      const cipher = createCipheriv('aes-256-ctr', cipherKey, nonce);
      return Buffer.concat([nonce, cipher.update(plaintext), cipher.final()]).toString('base64url');
    },
    decode(cursor, clientNo) {
      if (!cursorForm.test(cursor)) return null;
      const bytes = Buffer.from(cursor, 'base64url');
      const nonce = bytes.subarray(0, ivBytes);
      const decipher = createDecipheriv('aes-256-ctr', cipherKey, nonce);
      const plaintext = Buffer.concat([decipher.update(bytes.subarray(ivBytes)), decipher.final()]);
      if (!timingSafeEqual(nonce, nonceOf(plaintext)) || plaintext[0] !== version) return null;
      const position = unpack(plaintext);
      return position.clientNo === clientNo ? position : null;
    },
  };
}

function pack({ clientNo, epoch, position }: FeedPosition): Buffer {
  const plaintext = Buffer.alloc(plaintextBytes);
  plaintext.writeUInt8(version, 0);
  plaintext.writeUInt32BE(clientNo, 1);
  plaintext.writeUInt32BE(epoch, 5);
  plaintext.writeBigUInt64BE(BigInt(position), 9);
  return plaintext;
}

function unpack(plaintext: Buffer): FeedPosition {
  return {
    clientNo: plaintext.readUInt32BE(1),
    epoch: plaintext.readUInt32BE(5),
    position: Number(plaintext.readBigUInt64BE(9)),
  };
}
