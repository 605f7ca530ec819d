import type { DocumentAnswer } from '../Operation.ts';

/**
 * Bytes as base64 in lines of 64 characters, because some decoders read no longer ones. Content-Transfer-Encoding means nothing in HTTP
 * (RFC 8951, section 3), but released clients refuse a response without it.
 */
export function base64(bytes: Buffer): Pick<DocumentAnswer, 'body' | 'encoding'> {
  return { body: bytes.toString('base64').replaceAll(/.{1,64}/g, '$&\n'), encoding: 'base64' };
}
