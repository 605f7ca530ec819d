import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { type HeadRefusal, unboundedHead } from './boundHeads.ts';

/** The characters of a host and a port (RFC 3986, section 3.2). */
const hostForm = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** The methods of RFC 9110, section 9.3, and RFC 5789. A path that does not take one of them answers 405. CONNECT never gets here. */
const recognisedMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH']);

/**
 * Finds what is wrong with a request's head before anybody asks whose request it is: a version of HTTP or a method that is not spoken here
 * (RFC 9110, sections 15.6.6 and 15.6.2), a header that is too long, anything but exactly one valid Host (RFC 9112, section 3.2), or a
 * transfer coding that we do not decode (section 6.1).
 */
export function headRefusal(request: IncomingMessage): HeadRefusal | null {
  const { method = '', headers, headersDistinct, httpVersion } = request;
  // The parser accepts HTTP/0.9, and a request line of HTTP/2.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return { refusal: new DomainError('http_version_not_supported') };
  // The parser knows many methods that we do not. It refuses the others itself (`refusalOf`).
  if (!recognisedMethods.has(method)) return { refusal: unknownMethod() };
  const unbounded = unboundedHead(request);
  if (unbounded) return unbounded;
  const hosts = headersDistinct['host'] ?? [];
  const [host = ''] = hosts;
  if (hosts.length > 1 || (httpVersion === '1.1' && host === '') || !hostForm.test(host)) {
    const detail = 'The request must have exactly one Host header, with the name of a host.';
    return { refusal: new DomainError('invalid_request', { detail }), header: 'Host' };
  }
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return null;
  const detail = 'Send the body with a Content-Length, or with Transfer-Encoding: chunked and no other coding.';
  return { refusal: new DomainError('not_implemented', { detail }) };
}

/** The refusal of a method that no path takes. */
export function unknownMethod(): DomainError {
  return new DomainError('not_implemented', { detail: 'No path of this service takes this method. Capital letters count.' });
}
