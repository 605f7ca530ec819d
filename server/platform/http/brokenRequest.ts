import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../domain/shared/DomainError.ts';

const broken = new WeakMap<IncomingMessage, DomainError>();

/** Turns what Node reports about unreadable bytes into a refusal. It is null if the connection itself is broken. */
export function refusalOf(error: Error & { readonly code?: string }): DomainError | null {
  switch (error.code) {
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

/** Tells whoever reads the request's body, now or later, that it will never be complete. The connection stays open for the answer. */
export function breakBody(request: IncomingMessage, refusal: DomainError): void {
  broken.set(request, refusal);
  if (request.listenerCount('error') > 0) request.emit('error', refusal);
}

/** Why the request's body will never be complete, if that is known. */
export function brokenBody(request: IncomingMessage): DomainError | undefined {
  return broken.get(request);
}
