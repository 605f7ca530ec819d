import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

/** A server's certificate with its chain, and its key, in PEM. */
export type ServerPair = { readonly certPem: string; readonly keyPem: string };

/** Where they lie, in two files or in one, and the variables that say so. */
export type PairFiles = {
  readonly certFile: string;
  readonly keyFile: string;
  readonly variables: { readonly cert: string; readonly key: string };
};

/**
 * Reads a server's certificate and key. Throws Error with the variable to change if a file cannot be read, is not what it should be, or does
 * not belong to the other.
 */
export async function readServerPair({ certFile, keyFile, variables: { cert, key } }: PairFiles): Promise<ServerPair> {
  const certPem = await textOf(cert, certFile);
  // Of one file that is renewed between two readings, the first would be the former certificate and the second the new key.
  const keyPem = keyFile === certFile ? certPem : await textOf(key, keyFile);
  const certificate = tried(`${cert}: must be a certificate in PEM, with its chain behind it`, () => {
    createSecureContext({ cert: certPem });
    return new X509Certificate(certPem);
  });
  const privateKey = tried(`${key}: must be a private key in PEM, without a passphrase`, () => createPrivateKey(keyPem));
  if (!certificate.checkPrivateKey(privateKey)) throw new Error(`${key}: must be the key of the certificate in ${cert}`);
  return { certPem, keyPem };
}

async function textOf(variable: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`${variable}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

function tried<Result>(words: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new Error(words, { cause: error });
  }
}
