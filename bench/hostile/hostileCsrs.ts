import { der } from '../../server/domain/shared/der/derWriting.ts';

/** Certificate requests (DER) that take long to read or to verify, for a common name and in about so many bytes. */
export const hostileCsrs: Readonly<Record<string, (commonName: string, bytes: number) => Buffer>> = {
  'sequences in each other': (_, bytes) => inEachOther(0x30, bytes),
  'sets in each other': (_, bytes) => inEachOther(0x31, bytes),
  'constructed texts in each other': (_, bytes) => inEachOther(0x24, bytes),
  'of indefinite length': (_, bytes) => Buffer.alloc(bytes, Buffer.from([0x30, 0x80])),
  'a flat sequence of nothing': (_, bytes) =>
    Buffer.concat([Buffer.from([0x30, 0x82, bytes >> 8, bytes & 0xff]), Buffer.alloc(bytes, Buffer.from([5, 0]))]),
  'with a key of 40,000 bits': (commonName) => requestWithKey(commonName, 5_000, 3),
  'with a key and an exponent of 40,000 bits each': (commonName) => requestWithKey(commonName, 2_500, 2_500),
};

function inEachOther(tag: number, bytes: number): Buffer {
  let inner: Buffer = Buffer.from([5, 0]);
  while (inner.length < bytes) inner = Buffer.concat([Buffer.from([tag, 0x82, inner.length >> 8, inner.length & 0xff]), inner]);
  return inner;
}

/** A certificate request around an RSA key of unusual numbers. Its signature is not valid. */
function requestWithKey(commonName: string, modulusBytes: number, exponentBytes: number): Buffer {
  const number = (size: number) => der(2, Buffer.from([0]), Buffer.alloc(size, 0xfb));
  const rsa = Buffer.from('300d06092a864886f70d0101010500', 'hex');
  const signed = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
  const key = der(0x30, rsa, der(3, Buffer.from([0]), der(0x30, number(modulusBytes), number(exponentBytes))));
  const subject = der(0x30, der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(commonName)))));
  const info = der(0x30, Buffer.from('020100', 'hex'), subject, key, der(0xa0));
  return der(0x30, info, signed, der(3, Buffer.from([0]), Buffer.alloc(modulusBytes, 0x55)));
}
