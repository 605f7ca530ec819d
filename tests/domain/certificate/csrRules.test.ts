import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { csrRefusals } from '../../../server/domain/certificate/csr/csrRefusals.ts';
import type { CsrRefusal } from '../../../server/domain/certificate/csr/csrRefusals.ts';
import { checkCsr, checkCsrDer } from '../../../server/domain/certificate/csr/csrRules.ts';
import { isPrime, rsaWeakness } from '../../../server/domain/certificate/csr/rsaWeakness.ts';
import { derElements } from '../../../server/domain/shared/der/derElements.ts';
import {
  asn1Null,
  attribute,
  bits,
  commonName,
  csrDer,
  csrPem,
  der,
  ecKey,
  integer,
  nameOf,
  oids,
  pemOf,
  rsaKey,
  sequence,
  set,
  spkiOf,
  stringTags,
} from './csrFactory.ts';
import type { CsrParts } from './csrFactory.ts';
import { csrWords } from './csrWords.ts';
import { weakModuli } from './weakModuli.ts';

const cn = attribute(commonName);
const utf8Name = der(stringTags.utf8, Buffer.from(commonName));
const good = csrPem();
const p256Spki = (point: Buffer, parameters: Buffer = oids.p256) => sequence(sequence(oids.ecPublicKey, parameters), bits(point));
const p256Point = () => spkiOf(ecKey()).subarray(-65);
const withCommonName = (value: Buffer | string, tag?: number) => csrPem({ subject: nameOf(attribute(value, { tag })) });
const inProduction = commonName.replace('sandbox', 'production');
const lookAlike = commonName.replace('s', 'ѕ');
const utf32 = Buffer.concat([...commonName].map((character) => Buffer.from([0, 0, 0, character.charCodeAt(0)])));

function compressed(): Buffer {
  const point = p256Point();
  return Buffer.concat([Buffer.from([2 + ((point.at(-1) ?? 0) & 1)]), point.subarray(1, 33)]);
}

function offCurve(): Buffer {
  const point = Buffer.from(p256Point());
  point.writeUInt8((point.at(-1) ?? 0) ^ 1, 64);
  return point;
}

/** A SubjectPublicKeyInfo for any modulus and exponent, even if they make no key that could sign. */
function rsaSpki(modulus: Buffer, exponent: Buffer): Buffer {
  return sequence(sequence(oids.rsaEncryption, asn1Null), bits(sequence(der(0x02, modulus), der(0x02, exponent))));
}

/** The same element, with its length in more bytes than needed. */
function overlong(element: Buffer): Buffer {
  return Buffer.concat([Buffer.from([element[0] ?? 0, 0x84, 0, 0]), element.subarray(2)]);
}

/** 3072 bits with the zero byte that keeps the integer positive. */
const oddModulus = Buffer.concat([Buffer.from([0, 0xc1]), randomBytes(382), Buffer.from([0x01])]);
const weakKey = (modulus: string, signWith?: CsrParts['signWith']) => {
  const bytes = Buffer.from(modulus.padStart(modulus.length + (modulus.length % 2), '0'), 'hex');
  // A DER integer is positive only if its first bit is 0.
  return csrPem({
    spki: rsaSpki((bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.alloc(1), bytes]), Buffer.from([1, 0, 1])),
    ...(signWith && { signWith, key: rsaKey() }),
  });
};
/** Signs as the owner of a key with the prime modulus, whose private exponent follows from the modulus (RFC 8017, section 8.2). */
function signedWithPrime(info: Buffer): Buffer {
  const modulus = BigInt(`0x${weakModuli.prime}`);
  const digest = Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), createHash('sha256').update(info).digest()]);
  const padded = Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(384 - 3 - digest.length, 0xff), Buffer.alloc(1), digest]);
  const signature = power(BigInt(`0x${padded.toString('hex')}`), inverse(65_537n, modulus - 1n), modulus);
  return Buffer.from(signature.toString(16).padStart(768, '0'), 'hex');
}
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) result = (bit === '1' ? result * result * base : result * result) % modulus;
  return result;
}
/** The inverse of a prime. */
const inverse = (prime: bigint, modulus: bigint) => (modulus * power((prime - (modulus % prime)) % prime, prime - 2n, prime) + 1n) / prime;
/** A modulus of which this is the smallest factor: the others are the second prime above 2^16. */
const divisibleBy = (factor: bigint) => weakKey((factor * 65_539n ** 192n).toString(16));
const explicitCurve = sequence(integer(1), sequence(Buffer.from('06072a8648ce3d0101', 'hex'), integer(0, 255)));

/** What a person or an attacker may send, by the reason why it is refused, and what the words about it repeat of it. */
const refused: Record<Exclude<CsrRefusal, 'keyUsedBefore'>, [what: string, make: () => Buffer | string, shown?: string][]> = {
  tooLarge: [
    ['is longer than 16 KiB', () => good + '\n'.repeat(16 * 1024)],
    ['is longer than 16 KiB in bytes only', () => 'é'.repeat(9000)],
  ],
  notPem: [
    ['is empty', () => ''],
    ['is DER', () => csrDer()],
    ['is any text', () => 'hello'],
    ['has no END line', () => good.slice(0, good.indexOf('-----END'))],
    ['ends with another label', () => good.replace('END CERTIFICATE', 'END NEW CERTIFICATE')],
  ],
  privateKey: [
    ['is a private key', () => ecKey().export({ format: 'pem', type: 'pkcs8' }).toString()],
    ['has a private key behind the request', () => good + ecKey().export({ format: 'pem', type: 'sec1' }).toString()],
  ],
  severalBlocks: [['has two requests', () => good + good]],
  wrongLabel: [
    ['is labelled a certificate', () => pemOf(csrDer(), 'CERTIFICATE'), 'CERTIFICATE'],
    ['is labelled a public key', () => pemOf(spkiOf(ecKey()), 'PUBLIC KEY'), 'PUBLIC KEY'],
  ],
  pemHeaders: [['has PEM headers', () => good.replace('-----\n', '-----\nProc-Type: 4,CLEAR\n\n')]],
  badBase64: [
    ['has a character that is not base64', () => good.replace(/\n(.)/, '\n*')],
    ['has lost its last character', () => good.replace(/.\n-----END/, '\n-----END')],
    ['has nothing between BEGIN and END', () => pemOf(Buffer.alloc(0))],
    ['has base64 with stray bits at the end', () => pemOf(Buffer.from([0x30])).replace('MA==', 'MB==')],
  ],
  trailingData: [
    ['has bytes behind the request', () => pemOf(Buffer.concat([csrDer(), Buffer.from([0])]))],
    ['has a second request behind the first', () => pemOf(Buffer.concat([csrDer(), csrDer()]))],
    ['is cut short', () => pemOf(csrDer().subarray(0, -1))],
    ['has a longer length than needed', () => pemOf(overlong(csrDer()))],
    ['has an indefinite length', () => pemOf(Buffer.concat([Buffer.from([0x30, 0x80]), csrDer(), Buffer.alloc(2)]))],
  ],
  unreadable: [
    ['is another ASN.1 structure', () => pemOf(sequence(integer(1), integer(2)))],
    ['is not a sequence', () => pemOf(integer(1))],
    ['is an empty sequence', () => pemOf(sequence())],
    ['has no public key', () => csrPem({ spki: Buffer.alloc(0) })],
    ['is nested 2,500 levels deep', () => csrPem({ attributes: nested(2500) })],
    ['has garbage in place of its key', () => csrPem({ spki: der(0x04, randomBytes(50)) })],
  ],
  notCanonical: [
    ['has a signature with unused bits', () => pemOf(sequence(...twoParts(), bits(Buffer.alloc(70), 3)))],
    ['leaves out the attributes', () => csrPem({ attributes: Buffer.alloc(0) })],
    ['has a padded version', () => csrPem({ version: integer(0, 0) })],
  ],
  unsupportedVersion: [['is version 2', () => csrPem({ version: integer(1) })]],
  subjectNotSingleCommonName: [
    ['has an empty subject', () => csrPem({ subject: sequence() })],
    ['has two common names', () => csrPem({ subject: nameOf(cn, cn) })],
    ['has an organization too', () => csrPem({ subject: nameOf(attribute('Acme', { type: oids.organization }), cn) })],
    ['has only an organization', () => csrPem({ subject: nameOf(attribute(commonName, { type: oids.organization })) })],
    ['has a multi-valued RDN', () => csrPem({ subject: sequence(set(cn, attribute('b'))) })],
    ['has a name without a value', () => csrPem({ subject: nameOf(sequence(oids.commonName)) })],
    ['has a name with something behind its value', () => csrPem({ subject: nameOf(sequence(oids.commonName, utf8Name, asn1Null)) })],
    ['has an empty RDN', () => csrPem({ subject: sequence(set()) })],
  ],
  commonNameEncoding: [
    ['has an IA5String name', () => withCommonName(commonName, stringTags.ia5), 'an IA5String'],
    ['has a TeletexString name', () => withCommonName(commonName, stringTags.teletex), 'a TeletexString'],
    ['has a BMPString name', () => withCommonName(Buffer.from(commonName, 'utf16le').swap16(), stringTags.bmp), 'a BMPString'],
    ['has a UniversalString name', () => withCommonName(utf32, stringTags.universal), 'a UniversalString'],
    ['has an OCTET STRING name', () => withCommonName(commonName, 0x04), 'something else'],
  ],
  commonNameCharacters: [
    ['has a NUL behind the right name', () => withCommonName(`${commonName}\0`)],
    ['has a NUL in a PrintableString', () => withCommonName(`${commonName}\0.example`, stringTags.printable)],
    ['has a direction mark', () => withCommonName(`\u202e${commonName}`)],
    ['has a line break', () => withCommonName(`${commonName}\n`)],
    ['has invalid UTF-8', () => withCommonName(Buffer.from([0x73, 0xff, 0xfe]))],
    ['has an overlong UTF-8 form', () => withCommonName(Buffer.concat([Buffer.from([0xc1, 0xb3]), Buffer.from(commonName.slice(1))]))],
  ],
  commonNameMismatch: [
    ['names another client', () => withCommonName('svc:sandbox:cli_abc'), 'svc:sandbox:cli_abc'],
    ['names the other environment', () => withCommonName(inProduction), inProduction],
    ['has another case', () => withCommonName(commonName.toUpperCase()), commonName.toUpperCase()],
    ['has a space at the end', () => withCommonName(`${commonName} `), `${commonName} `],
    ['has a look-alike letter', () => withCommonName(lookAlike), lookAlike],
    ['has an empty name', () => withCommonName('')],
    ['has a very long name', () => withCommonName('x'.repeat(5000)), `${'x'.repeat(100)}…`],
  ],
  unsupportedKeyType: [
    ['has an Ed25519 key', () => csrPem({ spki: spkiOf(generateKeyPairSync('ed25519').privateKey) }), 'Ed25519'],
    ['has an RSA-PSS key', () => csrPem({ spki: sequence(sequence(oids.rsaPss), bits(randomBytes(40))) }), 'RSASSA-PSS'],
  ],
  unsupportedCurve: [
    ['has a P-521 key', () => csrPem({ key: ecKey('secp521r1') })],
    ['has a secp256k1 key', () => csrPem({ key: ecKey('secp256k1') })],
    ['has explicit curve parameters', () => csrPem({ spki: p256Spki(p256Point(), explicitCurve) })],
    ['has no curve', () => csrPem({ spki: p256Spki(p256Point(), Buffer.alloc(0)) })],
  ],
  compressedPoint: [['has a compressed point', () => csrPem({ spki: p256Spki(compressed()) })]],
  invalidKey: [
    ['has a point off the curve', () => csrPem({ spki: p256Spki(offCurve()) })],
    ['has the point at infinity', () => csrPem({ spki: p256Spki(Buffer.from([0])) })],
    ['has a P-384 point on P-256', () => csrPem({ spki: p256Spki(spkiOf(ecKey('secp384r1')).subarray(-97)) })],
    ['has a hybrid point', () => csrPem({ spki: p256Spki(Buffer.concat([Buffer.from([6]), p256Point().subarray(1)])) })],
    ['has an RSA key without its NULL', () => csrPem({ spki: sequence(sequence(oids.rsaEncryption), bits(randomBytes(40))) })],
    ['has garbage for an RSA key', () => csrPem({ spki: sequence(sequence(oids.rsaEncryption, asn1Null), bits(randomBytes(40))) })],
    ['has a padded RSA modulus', () => csrPem({ spki: rsaSpki(Buffer.concat([Buffer.alloc(1), oddModulus]), Buffer.from([1, 0, 1])) })],
  ],
  rsaKeySize: [
    ['has an RSA-1024 key', () => csrPem({ key: rsaKey(1024) }), '1024'],
    ['has an RSA-2048 key', () => csrPem({ key: rsaKey(2048) }), '2048'],
    ['has an RSA-3071 key', () => csrPem({ spki: rsaSpki(halved(oddModulus), Buffer.from([1, 0, 1])) }), '3071'],
    [
      'has an RSA-8200 key',
      () =>
        csrPem({
          spki: rsaSpki(Buffer.concat([oddModulus, randomBytes(640), Buffer.from([1])]), Buffer.from([1, 0, 1])),
        }),
      '8200',
    ],
  ],
  rsaExponent: [
    ['has exponent 3', () => csrPem({ key: rsaKey(3072, 3) })],
    ['has an even exponent', () => csrPem({ spki: rsaSpki(oddModulus, Buffer.from([1, 0, 2])) })],
    ['has exponent 1', () => csrPem({ spki: rsaSpki(oddModulus, Buffer.from([1])) })],
  ],
  rsaSmallFactor: [
    ['has an even modulus', () => divisibleBy(2n), '2'],
    ['has a modulus that 3 divides', () => divisibleBy(3n), '3'],
    ['has a modulus that the largest prime below 2^16 divides', () => divisibleBy(65_521n), '65521'],
  ],
  rsaRoca: [['has a key of a faulty security chip', () => weakKey(weakModuli.roca)]],
  rsaClosePrimes: [['has two primes close to each other', () => weakKey(weakModuli.closePrimes)]],
  rsaPrime: [['has a prime for a modulus, with a signature that anybody can make', () => weakKey(weakModuli.prime, signedWithPrime)]],
  signatureAlgorithm: [
    [
      'is signed with SHA-1',
      () => csrPem({ key: rsaKey(), hash: 'sha1', signatureAlgorithm: sequence(oids.sha1WithRsa, asn1Null) }),
      'sha1WithRSAEncryption',
    ],
    [
      'is signed with RSA and SHA-384',
      () => csrPem({ key: rsaKey(), hash: 'sha384', signatureAlgorithm: sequence(oids.sha384WithRsa, asn1Null) }),
      'sha384WithRSAEncryption',
    ],
    [
      'is signed with ECDSA and SHA-384',
      () => csrPem({ key: ecKey('secp384r1'), hash: 'sha384', signatureAlgorithm: sequence(oids.ecdsaWithSha384) }),
      'ecdsa-with-SHA384',
    ],
  ],
  signaturePadding: [['is signed with RSA-PSS', () => csrPem({ key: rsaKey(), signatureAlgorithm: sequence(oids.rsaPss, sequence()) })]],
  signatureOfOtherKey: [
    [
      'says ECDSA with an RSA key',
      () => csrPem({ key: rsaKey(), signatureAlgorithm: sequence(oids.ecdsaWithSha256) }),
      'ecdsa-with-SHA256',
    ],
    ['says RSA with an EC key', () => csrPem({ signatureAlgorithm: sequence(oids.sha256WithRsa, asn1Null) }), 'sha256WithRSAEncryption'],
  ],
  signatureParameters: [
    ['has ECDSA parameters', () => csrPem({ signatureAlgorithm: sequence(oids.ecdsaWithSha256, asn1Null) }), 'ecdsa-with-SHA256'],
    [
      'has RSA parameters other than NULL',
      () => csrPem({ key: rsaKey(), signatureAlgorithm: sequence(oids.sha256WithRsa, sequence()) }),
      'sha256WithRSAEncryption',
    ],
  ],
  invalidSignature: [
    [
      'is signed by another key',
      () =>
        csrPem({
          spki: spkiOf(ecKey('prime256v1')),
          key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
        }),
    ],
    ['has an empty signature', () => csrPem({ signature: Buffer.alloc(0) })],
    ['has a signature of zeros', () => csrPem({ signature: sequence(integer(0), integer(0)) })],
    ['has a signature that is not DER', () => csrPem({ signature: randomBytes(64) })],
  ],
};

function halved(modulus: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x41]), modulus.subarray(2)]);
}

/** Constructed elements, each the only content of the one before. */
function nested(levels: number): Buffer {
  const header = (level: number) => {
    const length = (levels - level - 1) * 4;
    return Buffer.from([level === 0 ? 0xa0 : 0x30, 0x82, length >> 8, length & 255]);
  };
  return Buffer.concat(Array.from({ length: levels }, (_, level) => header(level)));
}

/** The signed part and the algorithm of a sound request. */
const twoParts = () =>
  derElements(derElements(csrDer())[0]?.contents ?? Buffer.alloc(0))
    .slice(0, 2)
    .map(({ bytes }) => bytes);

const reasons = Object.keys(refused) as (keyof typeof refused)[];
const refusals = reasons.flatMap((reason) => refused[reason].map(([what, make, shown = '']) => ({ reason, what, make, shown })));

test.each(refusals)('a request that $what is refused as $reason, in the words that the page shows', async ({ reason, make, shown }) => {
  const upload = make();
  const verdict = await checkCsr(upload, commonName);
  expect(verdict).toEqual({ accepted: false, reason, message: csrWords[reason].replace('{}', () => shown) });
  const otherForm = typeof upload === 'string' ? Buffer.from(upload) : upload.toString('latin1');
  expect(await checkCsr(otherForm, commonName)).toEqual(verdict);
});

test('every refusal has words of its own and a request that provokes it', () => {
  // Whether a key was used before cannot be seen in the request: only the database knows.
  expect([...Object.keys(refused), 'keyUsedBefore'].sort()).toEqual(Object.keys(csrRefusals).sort());
  for (const cases of Object.values(refused)) expect(cases.length).toBeGreaterThan(0);
  expect(new Set(Object.values(csrWords)).size).toBe(Object.keys(csrRefusals).length);
  expect(csrRefusals.keyUsedBefore()).toBe(csrWords.keyUsedBefore);
});

test('a machine that sends a request in DER is told of no page', async () => {
  const other = csrDer({ subject: nameOf(attribute('svc:sandbox:cli_abc')) });
  expect(await checkCsrDer(other, commonName)).toMatchObject({
    reason: 'commonNameMismatch',
    message: `The certificate request names CN=svc:sandbox:cli_abc. It must be exactly ${commonName}.`,
  });
  expect(await checkCsrDer(csrDer(), commonName)).toMatchObject({ accepted: true, keyType: 'EC P-256' });
  expect(await checkCsrDer(Buffer.concat([csrDer(), csrDer()]), commonName)).toMatchObject({ reason: 'trailingData' });
});

test('a wrong common name is answered with both names, cut short', async () => {
  expect(await checkCsr(withCommonName('svc:sandbox:cli_abc'), 'svc:sandbox:cli_xyz')).toMatchObject({
    message: 'The certificate request names CN=svc:sandbox:cli_abc. It must be exactly svc:sandbox:cli_xyz. Copy it from above.',
  });
  expect(await checkCsr(withCommonName(`svc:${'x'.repeat(5000)}`), commonName)).toMatchObject({
    message: `The certificate request names CN=svc:${'x'.repeat(96)}…. It must be exactly ${commonName}. Copy it from above.`,
  });
});

describe('a sound request is accepted', () => {
  const extensionRequest = der(
    0xa0,
    sequence(
      Buffer.from('06092a864886f70d01090e', 'hex'),
      set(sequence(sequence(Buffer.from('0603551d13', 'hex'), der(0x04, sequence(der(0x01, Buffer.from([255]))))))),
    ),
  );
  const sound: [how: string, parts: CsrParts, keyType: string][] = [
    ['with an RSA 3072 key', { key: rsaKey(3072) }, 'RSA-3072'],
    ['with an RSA 4096 key', { key: rsaKey(4096) }, 'RSA-4096'],
    ['with a P-256 key', {}, 'EC P-256'],
    ['with a P-384 key', { key: ecKey('secp384r1') }, 'EC P-384'],
    ['with a PrintableString name', { subject: nameOf(attribute(commonName, { tag: stringTags.printable })) }, 'EC P-256'],
    ['with requested extensions', { attributes: extensionRequest }, 'EC P-256'],
    ['with RSA signature parameters left out', { key: rsaKey(), signatureAlgorithm: sequence(oids.sha256WithRsa) }, 'RSA-3072'],
  ];
  test.each(sound)('%s', async (_, parts, keyType) => {
    const request = csrDer(parts);
    const publicKeyDer = spkiOf(parts.key ?? ecKey());
    expect(await checkCsr(pemOf(request), commonName)).toEqual({ accepted: true, csrDer: request, publicKeyDer, keyType });
  });

  test.each([
    ['in the older label', pemOf(csrDer(), 'NEW CERTIFICATE REQUEST')],
    ['with Windows line ends', good.replaceAll('\n', '\r\n')],
    ['on one line', good.replace(/([A-Za-z0-9+/=])\n(?!-)/g, '$1')],
    ['with blank lines around it', `\n\n${good}\n \n`],
    ['as bytes', Buffer.from(good)],
    ['with a byte order mark, as Windows editors write it', `\uFEFF${good.replaceAll('\n', '\r\n')}`],
    ['with a byte order mark, as bytes', Buffer.from(`\uFEFF${good}`)],
    ['with a byte order mark and blank lines', `\uFEFF\n${good}`],
    ['with text before it', `Certificate Request:\n    Data:\n${good}`],
    ['with text after it', `${good}thanks`],
    ['with text on its first and last line', `csr: ${good.trimEnd()}.`],
    ['without a line break at its end', good.trimEnd()],
    ['indented by blanks, as in YAML', good.replace(/^/gm, '    ')],
    ['indented by tabs, with blanks at the ends of its lines', good.replace(/^/gm, '\t').replaceAll('\n', ' \t\n')],
    ['quoted in an email', good.replace(/^/gm, '> > ')],
    ['with Windows line ends and blank lines around it', `\r\n\r\n${good.replaceAll('\n', '\r\n')}\r\n`],
    ['with line breaks of an old Mac', good.replaceAll('\n', '\r')],
    ['with blanks for line breaks, as in a variable', good.trim().replaceAll('\n', ' ')],
    ['with literal \\n, as in JSON', JSON.stringify({ csr: good })],
    ['with literal \\r\\n', JSON.stringify(good.replaceAll('\n', '\r\n'))],
    ['with literal \\n that was escaped again', JSON.stringify(JSON.stringify(good))],
    ['with slashes escaped, as PHP does', JSON.stringify({ csr: good }).replaceAll('/', '\\/')],
    ['with signs escaped, as .NET does', JSON.stringify({ csr: good }).replaceAll('+', '\\u002B').replaceAll('=', '\\u003D')],
    ['in an array of lines', JSON.stringify(good.trim().split('\n'), null, 2)],
    ['in strings that a program joins', good.trim().replace(/^/gm, '"').replace(/$/gm, '\\n" \\')],
    ['as UTF-16', Buffer.from(good, 'utf16le')],
    ['as UTF-16 with a byte order mark, as PowerShell redirects', Buffer.from(`\uFEFF${good.replaceAll('\n', '\r\n')}`, 'utf16le')],
    ['as big-endian UTF-16', Buffer.from(`\uFEFF${good}`, 'utf16le').swap16()],
    ['as UTF-16 that a browser has read as UTF-8', Buffer.from(`\uFEFF${good}`, 'utf16le').toString()],
  ])('%s', async (_, upload) => {
    expect(await checkCsr(upload, commonName)).toMatchObject({ accepted: true });
  });
});

const written = (name: string) => readFile(new URL(`./requests/${name}.csr`, import.meta.url));

test.each([
  ['certtool', 'EC P-256'],
  ['certtool-p384', 'EC P-384'],
  ['certutil', 'EC P-256'],
  ['certutil-rsa', 'RSA-3072'],
  ['keytool', 'EC P-256'],
  ['openssl-text', 'EC P-256'],
])('a request is accepted as the program writes it: %s', async (name, keyType) => {
  expect(await checkCsr(await written(name), commonName)).toMatchObject({ accepted: true, keyType });
});

test.each([
  ['certtool-sha384', 'With certtool, add --hash SHA256 (also for a P-384 key).'],
  ['certtool-organization', `With certtool, write cn = "${commonName}" into the --template and nothing else about the subject.`],
  ['certutil-sha384', 'With certutil, add -Z SHA256.'],
  ['certutil-organization', `With certutil: -s "CN=${commonName}"`],
  ['keytool-sha384', 'With keytool -certreq, add -sigalg SHA256withECDSA (SHA256withRSA for an RSA key).'],
])('a refusal names the switch of the program that has written the request: %s', async (name, advice) => {
  expect(await checkCsr(await written(name), commonName)).toMatchObject({
    accepted: false,
    message: expect.stringContaining(` ${advice}`),
  });
});

test('a request with the attribute of Windows is told what to write into the .inf file of certreq, also in DER', async () => {
  const version = sequence(Buffer.from('060a2b0601040182370d0203', 'hex'), set(der(0x16, Buffer.from('10.0.20348.2'))));
  const sha384 = { key: ecKey('secp384r1'), hash: 'sha384', signatureAlgorithm: sequence(oids.ecdsaWithSha384) };
  const request = csrDer({ ...sha384, attributes: der(0xa0, version) });
  for (const verdict of [await checkCsr(pemOf(request, 'NEW CERTIFICATE REQUEST'), commonName), await checkCsrDer(request, commonName)])
    expect(verdict).toMatchObject({ message: expect.stringContaining('HashAlgorithm = sha256') });
});

test('whatever an upload of 16 KiB repeats, it is judged at once', async () => {
  for (const piece of [
    '-----BEGIN',
    '-----BEGIN A-----',
    '\\',
    '\\u00',
    ' ',
    '> ',
    '"',
    '\0',
    '\t\n',
    '-----END CERTIFICATE REQUEST-----',
    'A',
  ])
    for (const around of [(text: string) => text, (text: string) => `-----BEGIN CERTIFICATE REQUEST-----${text}x`]) {
      const upload = around(piece.repeat(Math.floor(16_000 / piece.length)));
      expect((await checkCsr(upload, commonName)).accepted).toBe(false);
    }
});

test('a modulus whose smallest factor is above 2^16 is not called divisible', async () => {
  expect(await checkCsr(divisibleBy(65_537n), commonName)).toMatchObject({ reason: 'signatureOfOtherKey' });
});

/** A modulus whose square root is `steps` whole numbers below the middle of its two factors, with no factor below 2^16. */
function modulusAtSteps(steps: bigint): bigint {
  for (let half = 1n << 771n; ; half += 1n) {
    const middle = (half * half) / (2n * steps - 1n);
    const modulus = middle * middle - half * half;
    if (rsaWeakness(modulus)?.reason !== 'rsaSmallFactor') return modulus;
  }
}

test('close primes are searched for in exactly 100 steps from the square root', () => {
  expect(rsaWeakness(modulusAtSteps(100n))?.reason).toBe('rsaClosePrimes');
  expect(rsaWeakness(modulusAtSteps(101n))).toBeNull();
});

test('others get their turn while a modulus is tested for being a prime', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  expect(await isPrime(BigInt(`0x${weakModuli.prime}`) ** 2n + 2n)).toBe(false);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});

test('a modulus that is a square is refused', () => {
  expect(rsaWeakness(65_539n ** 192n)?.reason).toBe('rsaClosePrimes');
});

test('a request with any single byte changed is never accepted', async () => {
  const request = csrDer();
  for (let position = 0; position < request.length; position += 1) {
    const changed = Buffer.from(request);
    changed.writeUInt8((changed[position] ?? 0) ^ 0x01, position);
    expect((await checkCsr(pemOf(changed), commonName)).accepted).toBe(false);
  }
});

test.each([
  ['sha384WithRSAEncryption', () => csrPem({ key: rsaKey(), hash: 'sha384', signatureAlgorithm: sequence(oids.sha384WithRsa, asn1Null) })],
  ['ecdsa-with-SHA384', () => csrPem({ key: ecKey('secp384r1'), hash: 'sha384', signatureAlgorithm: sequence(oids.ecdsaWithSha384) })],
  ['1.2.3.4', () => csrPem({ signatureAlgorithm: sequence(Buffer.from('06032a0304', 'hex')) })],
])('a request that is signed otherwise is told what it was signed with: %s', async (name, make) => {
  expect(await checkCsr(make(), commonName)).toMatchObject({ accepted: false, message: expect.stringContaining(name) });
});

test('random bytes in a request’s place are refused, never thrown', async () => {
  for (let round = 0; round < 300; round += 1) {
    const bytes = randomBytes(200);
    expect((await checkCsr(pemOf(round % 2 ? sequence(bytes) : bytes), commonName)).accepted).toBe(false);
  }
});
