import { createCipheriv, createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type Asn1,
  bmpString,
  encodeDer,
  explicit0,
  implicitOctets0,
  integer,
  nothing,
  objectIdentifier,
  octetString,
  sequence,
  set,
} from '../../shared/der/asn1.ts';

const deriveKey = promisify(pbkdf2);

const oids = {
  data: objectIdentifier('1.2.840.113549.1.7.1'),
  encryptedData: objectIdentifier('1.2.840.113549.1.7.6'),
  certBag: objectIdentifier('1.2.840.113549.1.12.10.1.3'),
  shroudedKeyBag: objectIdentifier('1.2.840.113549.1.12.10.1.2'),
  x509Certificate: objectIdentifier('1.2.840.113549.1.9.22.1'),
  friendlyName: objectIdentifier('1.2.840.113549.1.9.20'),
  localKeyId: objectIdentifier('1.2.840.113549.1.9.21'),
  pbes2: objectIdentifier('1.2.840.113549.1.5.13'),
  pbkdf2: objectIdentifier('1.2.840.113549.1.5.12'),
  hmacWithSha256: objectIdentifier('1.2.840.113549.2.9'),
  aes256Cbc: objectIdentifier('2.16.840.1.101.3.4.1.42'),
  sha256: objectIdentifier('2.16.840.1.101.3.4.2.1'),
};
const saltBytes = 16;
const encryptionIterations = 100_000;
/** Few, because they are hashed one after the other in this thread. What protects the package is the 125 bits of its password. */
const macIterations = 2_048;

type Pkcs12 = {
  /** PKCS#8 DER. The caller clears it. */
  readonly privateKeyDer: Buffer;
  /** DER: the key's own certificate first, then its chain. */
  readonly certificates: readonly Buffer[];
  /** What programs call the key. */
  readonly friendlyName: string;
  /** Printable ASCII, which every program reads in the same way. */
  readonly password: string;
};

/**
 * A PKCS#12 file (RFC 7292) with a key and its certificates: PBES2 with PBKDF2-HMAC-SHA-256 and AES-256-CBC (RFC 8018), and a MAC with
 * SHA-256. OpenSSL 3, Node, Java and GnuTLS open it. Key and password are only ever in the hands of node:crypto: node-forge, whose strings cannot
 * be cleared, puts together what is encrypted already or public.
 */
export async function encodePkcs12({ privateKeyDer, certificates, friendlyName, password }: Pkcs12): Promise<Buffer> {
  const [leaf = Buffer.alloc(0)] = certificates;
  // The same on the key and on its certificate, so that programs know which of the certificates is the key's.
  const attributes = bagAttributes(createHash('sha256').update(leaf).digest().subarray(0, 20), friendlyName);
  const encryption = await encryptionWith(password);
  const encryptedKey = encryption.encrypt(privateKeyDer);
  const key = bag(oids.shroudedKeyBag, sequence(encryptedKey.algorithm, octetString(encryptedKey.bytes)), attributes);
  const bags = certificates.map((each, index) =>
    bag(oids.certBag, sequence(oids.x509Certificate, explicit0(octetString(each))), index === 0 ? attributes : null),
  );
  const encryptedChain = encryption.encrypt(encodeDer(sequence(...bags)));
  encryption.end();
  const chain = sequence(oids.data, encryptedChain.algorithm, implicitOctets0(encryptedChain.bytes));
  const safes = encodeDer(
    sequence(contentInfo(oids.encryptedData, sequence(integer(0), chain)), contentInfo(oids.data, octetString(encodeDer(sequence(key))))),
  );
  return encodeDer(sequence(integer(3), contentInfo(oids.data, octetString(safes)), macData(safes, password)));
}

function contentInfo(type: Asn1, content: Asn1): Asn1 {
  return sequence(type, explicit0(content));
}

function bag(type: Asn1, value: Asn1, attributes: Asn1 | null): Asn1 {
  return sequence(type, explicit0(value), ...(attributes ? [attributes] : []));
}

function bagAttributes(keyId: Buffer, friendlyName: string): Asn1 {
  return set(sequence(oids.localKeyId, set(octetString(keyId))), sequence(oids.friendlyName, set(bmpString(friendlyName))));
}

/** PBES2 under a key that is derived once, because that takes nearly all the time; each encryption has an initialisation vector of its own. */
async function encryptionWith(password: string) {
  const salt = randomBytes(saltBytes);
  const key = await deriveKey(password, salt, encryptionIterations, 32, 'sha256');
  const derivation = sequence(octetString(salt), integer(encryptionIterations), sequence(oids.hmacWithSha256, nothing()));
  return {
    encrypt(plaintext: Buffer): { readonly algorithm: Asn1; readonly bytes: Buffer } {
      const iv = randomBytes(16);
      const cipher = createCipheriv('aes-256-cbc', key, iv);
      const bytes = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      const parameters = sequence(sequence(oids.pbkdf2, derivation), sequence(oids.aes256Cbc, octetString(iv)));
      return { algorithm: sequence(oids.pbes2, parameters), bytes };
    },
    end: () => void key.fill(0),
  };
}

function macData(content: Buffer, password: string): Asn1 {
  const salt = randomBytes(saltBytes);
  const key = macKey(password, salt);
  const mac = createHmac('sha256', key).update(content).digest();
  key.fill(0);
  const digest = sequence(sequence(oids.sha256, nothing()), octetString(mac));
  return sequence(digest, octetString(salt), integer(macIterations));
}

/** RFC 7292, appendix B.2, with SHA-256 and the diversifier of a MAC key. One hash gives as many bytes as are needed. */
function macKey(password: string, salt: Buffer): Buffer {
  const block = 64;
  const filled = (bytes: Buffer) => Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
  // As a BMPString that ends with a zero.
  const name = Buffer.from(`${password}\0`, 'utf16le').swap16();
  const input = Buffer.concat([Buffer.alloc(block, 3), filled(salt), filled(name)]);
  let key = createHash('sha256').update(input).digest();
  for (let turn = 1; turn < macIterations; turn += 1) key = createHash('sha256').update(key).digest();
  input.fill(0);
  name.fill(0);
  return key;
}
