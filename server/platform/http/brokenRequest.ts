import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../domain/shared/DomainError.ts';

const broken = new WeakMap<IncomingMessage, DomainError>();

/** What Node reports about bytes that do not become a request, as a refusal; null where the connection itself is broken. */
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

/** Tells whoever reads a request's body, now or later, that it will not come to its end. The connection stays open for the answer. */
export function breakBody(request: IncomingMessage, refusal: DomainError): void {
  broken.set(request, refusal);
  if (request.listenerCount('error') > 0) request.emit('error', refusal);
}

/** Why a request's body will not come to its end, if that is known. */
export function brokenBody(request: IncomingMessage): DomainError | undefined {
  return broken.get(request);
}
