import { createCipheriv, createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { der, derInteger, derOid, tags } from '../../shared/der/derWriting.ts';

const deriveKey = promisify(pbkdf2);

const oids = {
  data: derOid('1.2.840.113549.1.7.1'),
  encryptedData: derOid('1.2.840.113549.1.7.6'),
  certBag: derOid('1.2.840.113549.1.12.10.1.3'),
  shroudedKeyBag: derOid('1.2.840.113549.1.12.10.1.2'),
  x509Certificate: derOid('1.2.840.113549.1.9.22.1'),
  friendlyName: derOid('1.2.840.113549.1.9.20'),
  localKeyId: derOid('1.2.840.113549.1.9.21'),
  pbes2: derOid('1.2.840.113549.1.5.13'),
  pbkdf2: derOid('1.2.840.113549.1.5.12'),
  hmacWithSha256: derOid('1.2.840.113549.2.9'),
  aes256Cbc: derOid('2.16.840.1.101.3.4.1.42'),
  sha256: derOid('2.16.840.1.101.3.4.2.1'),
};
const derNull = Buffer.from('0500', 'hex');
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
 * SHA-256. OpenSSL 3, Node, Java and GnuTLS open it. The key itself is only ever in buffers.
 */
export async function encodePkcs12({ privateKeyDer, certificates, friendlyName, password }: Pkcs12): Promise<Buffer> {
  const [leaf = Buffer.alloc(0)] = certificates;
  // The same on the key and on its certificate, so that programs know which of the certificates is the key's.
  const attributes = bagAttributes(createHash('sha256').update(leaf).digest().subarray(0, 20), friendlyName);
  const encryption = await encryptionWith(password);
  const key = bag(oids.shroudedKeyBag, der(tags.sequence, ...encryption.encrypt(privateKeyDer, tags.octetString)), attributes);
  const bags = certificates.map((each, index) =>
    bag(
      oids.certBag,
      der(tags.sequence, oids.x509Certificate, der(tags.explicit0, der(tags.octetString, each))),
      index === 0 ? attributes : null,
    ),
  );
  const chain = der(tags.sequence, oids.data, ...encryption.encrypt(der(tags.sequence, ...bags), tags.implicit0));
  encryption.end();
  const safes = der(
    tags.sequence,
    contentInfo(oids.encryptedData, der(tags.sequence, derInteger(0n), chain)),
    contentInfo(oids.data, der(tags.octetString, der(tags.sequence, key))),
  );
  return der(tags.sequence, derInteger(3n), contentInfo(oids.data, der(tags.octetString, safes)), macData(safes, password));
}

function contentInfo(type: Buffer, content: Buffer): Buffer {
  return der(tags.sequence, type, der(tags.explicit0, content));
}

function bag(type: Buffer, value: Buffer, attributes: Buffer | null): Buffer {
  return der(tags.sequence, type, der(tags.explicit0, value), ...(attributes ? [attributes] : []));
}

/** In the order that DER prescribes for a set: the shorter one first, because their first difference is in the length. */
function bagAttributes(keyId: Buffer, friendlyName: string): Buffer {
  const attribute = (type: Buffer, value: Buffer) => der(tags.sequence, type, der(tags.set, value));
  const name = Buffer.from(friendlyName, 'utf16le').swap16();
  const both = [attribute(oids.localKeyId, der(tags.octetString, keyId)), attribute(oids.friendlyName, der(tags.bmpString, name))];
  return der(tags.set, ...both.sort((one, other) => Buffer.compare(one, other)));
}

/** PBES2 under a key that is derived once, because that takes nearly all the time; each encryption has an initialisation vector of its own. */
async function encryptionWith(password: string) {
  const salt = randomBytes(saltBytes);
  const key = await deriveKey(password, salt, encryptionIterations, 32, 'sha256');
  const pseudorandom = der(tags.sequence, oids.hmacWithSha256, derNull);
  const derivation = der(tags.sequence, der(tags.octetString, salt), derInteger(BigInt(encryptionIterations)), pseudorandom);
  return {
    /** The algorithm, and the encrypted bytes under the tag that their place in the structure asks for. */
    encrypt(plaintext: Buffer, tag: number): [Buffer, Buffer] {
      const iv = randomBytes(16);
      const cipher = createCipheriv('aes-256-cbc', key, iv);
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      const parameters = der(
        tags.sequence,
        der(tags.sequence, oids.pbkdf2, derivation),
        der(tags.sequence, oids.aes256Cbc, der(tags.octetString, iv)),
      );
      return [der(tags.sequence, oids.pbes2, parameters), der(tag, ciphertext)];
    },
    end: () => void key.fill(0),
  };
}

function macData(content: Buffer, password: string): Buffer {
  const salt = randomBytes(saltBytes);
  const key = macKey(password, salt);
  const mac = createHmac('sha256', key).update(content).digest();
  key.fill(0);
  const digest = der(tags.sequence, der(tags.sequence, oids.sha256, derNull), der(tags.octetString, mac));
  return der(tags.sequence, digest, der(tags.octetString, salt), derInteger(BigInt(macIterations)));
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
