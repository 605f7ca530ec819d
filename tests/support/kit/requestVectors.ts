import { checkCsrDer } from '../../../server/domain/certificate/csr/csrRules.ts';
import {
  asn1Null,
  attribute,
  commonName,
  csrDer,
  der,
  ecKey,
  integer,
  nameOf,
  oids,
  sequence,
  set,
  spkiOf,
  stringTags,
} from '../../domain/certificate/csrFactory.ts';

/** A certificate request (PKCS#10, base64 of its DER), and whether the service certifies it. */
export type RequestVector = { readonly name: string; readonly accepted: boolean; readonly reason?: string; readonly request: string };
export type RequestVectors = { readonly about: string; readonly common_name: string; readonly vectors: readonly RequestVector[] };

/** One key for all of them makes the package smaller. */
const key = ecKey();
const named = (value: string, tag?: number) => csrDer({ key, subject: nameOf(attribute(value, { tag })) });
const own = attribute(commonName);
const ecdsaWith = (...parameters: Buffer[]) => sequence(oids.ecdsaWithSha256, ...parameters);

/** Good ones, and what can be broken of them without a new signature. */
const [p256, p384] = [csrDer({ key }), csrDer({ key: ecKey('secp384r1') })];
const spoilt = (from: string, to: string) => Buffer.from(p256.toString('latin1').replace(from, to), 'latin1');

/** What makers of requests get right and wrong. Keys and signatures are others each time, so only the file is the same for everybody. */
const requests: readonly (readonly [name: string, make: () => Buffer])[] = [
  ['EC P-256', () => p256],
  ['EC P-384', () => p384],
  ['a PrintableString name', () => named(commonName, stringTags.printable)],
  ['an attribute that asks for extensions', () => csrDer({ key, attributes: der(0xa0, sequence(oids.organization, set(sequence()))) })],
  ['the other environment', () => named(commonName.replace('sandbox', 'production'))],
  ['another client', () => named(commonName.replace('0123', '3210'))],
  ['the client ID alone', () => named(commonName.split(':').at(-1) ?? '')],
  ['capital letters', () => named(commonName.toUpperCase())],
  ['a space at the end', () => named(`${commonName} `)],
  ['a NUL behind the name', () => named(`${commonName}\0`)],
  ['an IA5String name', () => named(commonName, stringTags.ia5)],
  ['an organization beside the name', () => csrDer({ key, subject: nameOf(attribute('Acme', { type: oids.organization }), own) })],
  ['the name twice', () => csrDer({ key, subject: nameOf(own, own) })],
  ['no subject', () => csrDer({ key, subject: sequence() })],
  ['EC secp256k1', () => csrDer({ key: ecKey('secp256k1') })],
  ['the key of another request', () => csrDer({ key, spki: spkiOf(ecKey('secp384r1')), signature: p256.subarray(-71) })],
  ['parameters of ECDSA', () => csrDer({ key, signatureAlgorithm: ecdsaWith(asn1Null) })],
  ['the signature of another name', () => spoilt('cli_0123', 'cli_3210')],
  ['a signature of zeroes', () => csrDer({ key, signature: Buffer.alloc(70) })],
  ['version 2', () => csrDer({ key, version: integer(1) })],
  ['no attributes at all, not even an empty set', () => csrDer({ key, attributes: Buffer.alloc(0) })],
  ['a byte behind the request', () => Buffer.concat([p256, Buffer.from([0])])],
  ['a request that is cut short', () => p256.subarray(0, -1)],
];
export const requestNames = requests.map(([name]) => name);

/** New requests for each name, with what the service says of them. */
export async function makeRequestVectors(): Promise<RequestVectors> {
  const vectors = await Promise.all(
    requests.map(async ([name, make]) => {
      const request = make();
      return { name, ...(await verdictOn(request)), request: request.toString('base64') };
    }),
  );
  return {
    about: 'Certificate requests (PKCS#10, base64 of DER) for the client with this common name, and whether the service certifies them.',
    common_name: commonName,
    vectors,
  };
}

export async function verdictOn(request: Buffer): Promise<Pick<RequestVector, 'accepted' | 'reason'>> {
  const verdict = await checkCsrDer(request, commonName);
  return verdict.accepted ? { accepted: true } : { accepted: false, reason: verdict.reason };
}
