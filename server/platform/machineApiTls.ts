import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config/config.ts';
import { ensureDevelopmentTls } from './developmentTls.ts';

/**
 * The machine API's own server certificate: either the configured one, or a generated one with the authority (`caPem`) that clients have to
 * trust. Throws Error with the variable to change if a file cannot be read, is not what it should be, or does not belong to the other.
 */
export async function machineApiTls({
  machineTls,
  dataDir,
}: Pick<Config, 'machineTls' | 'dataDir'>): Promise<{ certPem: string; keyPem: string; caPem?: string }> {
  if (!machineTls) return ensureDevelopmentTls(join(dataDir, 'tls'));
  const certPem = await textOf('MACHINE_TLS_CERT_FILE', machineTls.certFile);
  const keyPem = await textOf('MACHINE_TLS_KEY_FILE', machineTls.keyFile);
  const certificate = tried('MACHINE_TLS_CERT_FILE: must be a certificate in PEM, with its chain behind it', () => {
    createSecureContext({ cert: certPem });
    return new X509Certificate(certPem);
  });
  const key = tried('MACHINE_TLS_KEY_FILE: must be a private key in PEM, without a passphrase', () => createPrivateKey(keyPem));
  if (!certificate.checkPrivateKey(key))
    throw new Error('MACHINE_TLS_KEY_FILE: must be the key of the certificate in MACHINE_TLS_CERT_FILE');
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
