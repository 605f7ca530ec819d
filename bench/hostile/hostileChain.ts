import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { der } from '../../server/domain/shared/der/derWriting.ts';

/** Of an RSA key and of its signatures. OpenSSL takes exponents of any size up to here, and for larger keys only small ones. */
const rsaBytes = 384;
const rsa = Buffer.from('300d06092a864886f70d0101010500', 'hex');
const signed = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
const authority = Buffer.from('a3133011300f0603551d130101ff040530030101ff', 'hex');
const version = Buffer.from('a003020102', 'hex');
const validity = der(0x30, der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('450101000000Z')));

/** Keys that take long: RSA with an exponent as long as it can be (10 ms to verify with), and one on a curve that it describes itself (0.2 s to read). */
const dearKeys = { longExponent, ownCurve };
export type DearKey = keyof typeof dearKeys;

/**
 * A certificate with a key of its own, below so many made-up ones with dear keys. Each of them takes 1.3 KB (`longExponent`) or 1.0 KB (`ownCurve`) of
 * a handshake.
 */
export function hostileChain(
  authorities: number,
  dearKey: DearKey = 'longExponent',
): { readonly certPem: string; readonly keyPem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const leaf = certificate('leaf', 'authority 0', publicKey.export({ type: 'spki', format: 'der' }));
  const others = Array.from({ length: authorities }, (_, place) =>
    certificate(`authority ${place}`, `authority ${place + 1}`, dearKeys[dearKey](), authority),
  );
  return {
    certPem: [leaf, ...others].map(pemOf).join(''),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** A certificate with this key (SubjectPublicKeyInfo, in DER), and no valid signature. */
export function certificate(subject: string, issuer: string, key: Buffer, ...extensions: readonly Buffer[]): Buffer {
  const parts = [version, der(2, Buffer.from([1])), signed, nameOf(issuer), validity, nameOf(subject), key, ...extensions];
  // Below the modulus, or it would be refused before anything is computed.
  const signature = Buffer.concat([Buffer.alloc(2), randomBytes(rsaBytes - 1)]);
  return der(0x30, der(0x30, ...parts), signed, der(3, signature));
}

function longExponent(): Buffer {
  return der(0x30, rsa, der(3, Buffer.from([0]), der(0x30, oddInteger(0x80), oddInteger(0x40))));
}

/** With this bit as the highest one of its first byte. */
function oddInteger(highest: number): Buffer {
  const bytes = randomBytes(rsaBytes);
  bytes[0] = highest | (bytes[0]! & (highest - 1));
  bytes[rsaBytes - 1]! |= 1;
  return der(2, Buffer.alloc(highest === 0x80 ? 1 : 0), bytes);
}

/** A prime below which square roots take longest: it is one more than a multiple of 2^600. */
const prime = (2n ** 59n + 1345n) * 2n ** 600n + 1n;
const primeBytes = 83;

/** The points with x = 1 and x = 5 of y² = x³ − 3x + 7, compressed: to read one is to find a square root. */
function ownCurve(): Buffer {
  const field = (value: bigint) => Buffer.from(value.toString(16).padStart(2 * primeBytes, '0'), 'hex');
  const point = (x: bigint) => Buffer.concat([Buffer.from([2]), field(x)]);
  const integer = (value: bigint) => der(2, field(value));
  const parameters = der(
    0x30,
    der(2, Buffer.from([1])),
    der(0x30, Buffer.from('06072a8648ce3d0101', 'hex'), integer(prime)),
    der(0x30, der(4, field(prime - 3n)), der(4, field(7n))),
    der(4, point(1n)),
    integer((prime >> 1n) | 1n),
    der(2, Buffer.from([1])),
  );
  return der(0x30, der(0x30, Buffer.from('06072a8648ce3d0201', 'hex'), parameters), der(3, Buffer.from([0]), point(5n)));
}

const nameOf = (text: string): Buffer => der(0x30, der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(text)))));

const pemOf = (bytes: Buffer): string => `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
