import { X509Certificate } from 'node:crypto';
import { DomainError } from '../../shared/DomainError.ts';

const maximumBytes = 64 * 1024;

/** The certificates of a PEM file that somebody gives on the terminal. Errors: invalid_request, in words. */
export function readCertificates(pem: string): X509Certificate[] {
  if (pem.length > maximumBytes) throw refused('The file is too large to contain two certificates.');
  if (pem.includes('PRIVATE KEY')) {
    throw refused('The file contains a private key. The root’s key must stay where it is; give the certificates alone.');
  }
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0 || blocks.length !== pem.split('-----BEGIN').length - 1) {
    throw refused('The file must contain certificates in PEM (BEGIN CERTIFICATE) and nothing else.');
  }
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch {
      throw refused(`Certificate ${index + 1} of the file cannot be read.`);
    }
  });
}

function refused(message: string): DomainError {
  return new DomainError('invalid_request', { fields: [{ path: 'file', message }] });
}
