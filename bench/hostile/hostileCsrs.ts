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
  let der: Buffer = Buffer.from([5, 0]);
  while (der.length < bytes) der = Buffer.concat([Buffer.from([tag, 0x82, der.length >> 8, der.length & 0xff]), der]);
  return der;
}

/** A certificate request around an RSA key of unusual numbers. Its signature is not valid. */
function requestWithKey(commonName: string, modulusBytes: number, exponentBytes: number): Buffer {
  const part = (tag: number, ...inner: Buffer[]) => {
    const content = Buffer.concat(inner);
    const { length } = content;
    // In the fewest possible bytes, as DER requires. Any other length is refused before anything is verified.
    const size = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
    return Buffer.concat([Buffer.from([tag, ...size]), content]);
  };
  const number = (size: number) => part(2, Buffer.from([0]), Buffer.alloc(size, 0xfb));
  const rsa = Buffer.from('300d06092a864886f70d0101010500', 'hex');
  const signed = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
  const key = part(0x30, rsa, part(3, Buffer.from([0]), part(0x30, number(modulusBytes), number(exponentBytes))));
  const subject = part(0x30, part(0x31, part(0x30, Buffer.from('0603550403', 'hex'), part(0x0c, Buffer.from(commonName)))));
  const info = part(0x30, Buffer.from('020100', 'hex'), subject, key, part(0xa0));
  return part(0x30, info, signed, part(3, Buffer.from([0]), Buffer.alloc(modulusBytes, 0x55)));
}
