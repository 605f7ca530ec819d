import { IncomingMessage, type IncomingHttpHeaders, type Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { serverLimits } from './serverLimits.ts';
import { requestHeaders } from './requestHeaders.ts';

/** What is wrong with a head, and the header that is the cause if there is one. */
export type HeadRefusal = { readonly refusal: DomainError; readonly header?: string };

const unbounded = new WeakMap<IncomingMessage, HeadRefusal>();

/**
 * Leaves in `request.headers` what `requestHeaders` names, each in its normal form, before anything else sees the request: libraries read
 * headers with expressions that take seconds for the wrong 15 KB. This is done where the server announces a request, because what traces
 * reads headers before any listener does. Call it once all that changes servers' classes has been loaded.
 */
export function boundHeads(server: Server | TlsServer): void {
  const emit: (event: string, ...values: unknown[]) => boolean = server.emit.bind(server);
  server.emit = (event: string, ...values: unknown[]): boolean => {
    const [request] = values;
    if (event === 'request' && request instanceof IncomingMessage) boundHead(request);
    return emit(event, ...values);
  };
}

/** Why a request's head is larger than it may be, if it is. Nobody sees a header that is too long. */
export function unboundedHead(request: IncomingMessage): HeadRefusal | undefined {
  return unbounded.get(request);
}

function boundHead(request: IncomingMessage): void {
  // Node keeps no more than 2,000 lines, and would drop what comes after them without a word.
  if (request.rawHeaders.length > 2 * serverLimits.requestHeaderLines) {
    const detail = `A request has at most ${serverLimits.requestHeaderLines} header lines.`;
    unbounded.set(request, { refusal: new DomainError('headers_too_large', { detail }) });
    request.headers = {};
    return;
  }
  const bounded: IncomingHttpHeaders = {};
  for (const [name, value] of Object.entries(request.headers)) {
    const rule = Object.hasOwn(requestHeaders, name) ? requestHeaders[name] : undefined;
    if (!rule || typeof value !== 'string') continue;
    if (value.length <= rule.most) {
      const normal = rule.normal(value);
      if (normal !== undefined) bounded[name] = normal;
    } else unbounded.set(request, tooLong(name, rule.most, value.length));
  }
  request.headers = bounded;
}

function tooLong(name: string, most: number, bytes: number): HeadRefusal {
  const header = name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
  const detail = `The header ${header} has at most ${most} bytes; this one has ${bytes}.`;
  return { header, refusal: new DomainError('headers_too_large', { detail }) };
}
