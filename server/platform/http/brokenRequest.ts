import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { unknownMethod } from './headRefusal.ts';

const broken = new WeakMap<IncomingMessage, DomainError>();

/** What Node reports about bytes that cannot be read: why, the bytes themselves, and up to where they could be read. */
type ReadingError = Error & {
  readonly code?: string;
  readonly reason?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** RFC 9112, section 3. */
const requestLine = /^[\w!#$%&'*+.^`|~-]+ [\x21-\x7e]+ HTTP\/\d\.\d\r?$/;

/** Turns what Node reports about unreadable bytes into a refusal. It is null if the connection itself is broken. */
export function refusalOf(error: ReadingError): DomainError | null {
  switch (error.code) {
    case 'HPE_INVALID_METHOD':
      if (requestLine.test(unreadLine(error))) return unknownMethod();
      break;
    case 'HPE_INVALID_VERSION':
      // The version is right, and something other than CRLF comes after it.
      if (error.reason === 'Expected CRLF after version') return wrongLineEnd();
      return new DomainError('http_version_not_supported');
    case 'HPE_CR_EXPECTED':
      return wrongLineEnd();
    case 'HPE_PAUSED_H2_UPGRADE':
      return new DomainError('http_version_not_supported');
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new DomainError('content_too_large', { detail: 'The chunk extensions are too long.' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout');
  }
  return error.code?.startsWith('HPE_')
    ? new DomainError('invalid_request', { detail: 'The bytes received are not an HTTP/1.1 request.' })
    : null;
}

function wrongLineEnd(): DomainError {
  return new DomainError('invalid_request', { detail: 'Every line ends with CRLF, the first one right after HTTP/1.1.' });
}

/** The line that could not be read, if all of it has arrived. */
function unreadLine({ rawPacket, bytesParsed = 0 }: ReadingError): string {
  if (!rawPacket) return '';
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1;
  const end = rawPacket.indexOf('\n', start);
  return end < 0 ? '' : rawPacket.toString('latin1', start, end);
}

/** Tells the reader of the request's body, now or later, that it will never be complete. The connection stays open for the answer. */
export function breakBody(request: IncomingMessage, refusal: DomainError): void {
  broken.set(request, refusal);
  if (request.listenerCount('error') > 0) request.emit('error', refusal);
}

/** Why the request's body will never be complete, if that is known. */
export function brokenBody(request: IncomingMessage): DomainError | undefined {
  return broken.get(request);
}
