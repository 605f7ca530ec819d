import type { IncomingMessage } from 'node:http';
import { csrRefusals } from '../../server/domain/certificate/csr/csrRefusals.ts';
import { limits } from '../../server/domain/shared/limits.ts';
import { receiveBody } from '../../server/platform/http/receiveBody.ts';
import { invalidBody, Problem } from '../answer/problemDetails.ts';
import { refuseContentCoding } from '../request/requestBody.ts';

/**
 * Reads a body of `application/pkcs10`: base64 of the request’s DER, with any whitespace. Content-Transfer-Encoding does not count, whether
 * it is there or not (RFC 8951, section 3). Throws 415, 413, or a 400 that says what is wrong.
 */
export async function readPkcs10(request: IncomingMessage): Promise<Buffer> {
  const [media = ''] = (request.headers['content-type'] ?? '').split(';');
  if (media.trim().toLowerCase() !== 'application/pkcs10') {
    throw new Problem('unsupported_media_type', { detail: 'Send Content-Type: application/pkcs10.' });
  }
  refuseContentCoding(request.headers);
  const text = (await receiveBody(request, limits.requestBodyBytes)).toString('latin1');
  if (text.includes('PRIVATE KEY-----')) throw invalidBody('', csrRefusals.privateKey());
  if (text.includes('-----BEGIN')) {
    throw invalidBody(
      '',
      'Send the request without the lines BEGIN and END, for example as openssl req -outform DER | openssl base64 writes it.',
    );
  }
  const encoded = text.replaceAll(/[\t\n\r ]+/g, '');
  const der = Buffer.from(encoded, 'base64');
  if (der.length === 0 || der.toString('base64') !== encoded)
    throw invalidBody('', 'The body must be base64 of a certificate request in DER.');
  return der;
}
