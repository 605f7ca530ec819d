import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { serverLimits } from './serverLimits.ts';
import { brokenBody } from './brokenRequest.ts';

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const unasked = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Leaves asking for the body of a request with `Expect: 100-continue` to the code that reads it (RFC 9110, section 10.1.1). What the head alone
 * decides is then answered at once, and Node ends the connection after that answer, because the caller may or may not send the body.
 */
export function askWhenRead(request: IncomingMessage, response: ServerResponse): void {
  if (hasBody(request)) unasked.set(request, response);
  else response.writeContinue();
}

/**
 * Receives a request's body of at most `most` bytes. A larger one is refused as soon as its announced length, or the bytes received, exceed
 * that; the rest is dropped (`boundUnreadBody`). Rejects with content_too_large, or with the refusal that broke the body off. The
 * connection stays open for the answer.
 */
export function receiveBody(request: IncomingMessage, most: number, tooLarge?: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const early = brokenBody(request);
    if (early) return reject(early);
    const chunks: Buffer[] = [];
    let received = 0;
    const refuse = () => {
      chunks.length = 0;
      reject(new DomainError('content_too_large', tooLarge === undefined ? {} : { detail: tooLarge }));
    };
    if (Number(request.headers['content-length'] ?? 0) > most) refuse();
    else unasked.get(request)?.writeContinue();
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > most) refuse();
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    // Nobody is left to read this answer. Node's own error has the same code as a broken database connection and would be mistaken for one.
    const hungUp = () => reject(new DomainError('invalid_request', { detail: 'The connection ended before the body was complete.' }));
    request.on('error', (error) => (error instanceof DomainError ? reject(error) : hungUp()));
    request.on('close', hungUp);
  });
}

/**
 * An answer may be finished before the request's body has arrived. The rest of the body is dropped, so that the caller can read the answer.
 * A caller who goes on sending is cut off.
 */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  response.once('finish', () => {
    if (request.complete) return;
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, serverLimits.unreadBody).unref();
  });
}
