import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../server/domain/shared/limits.ts';
import { invalidBody, Problem } from './problemDetails.ts';
import { type JsonObject, readJsonObject } from './readJsonObject.ts';

/** How long a caller may go on sending a body that nobody reads any more, before the connection is cut. */
const drainMs = 5_000;

/**
 * The body of a request as a JSON object with these members at most. Throws 415, 413 (the rest is read and dropped), and 400 naming
 * what does not fit. A body that never arrives is ended by the request's time limit.
 */
export async function readBody(request: IncomingMessage, known: readonly string[]): Promise<JsonObject> {
  refuseMediaType(request.headers);
  return readJsonObject(await receive(request), known);
}

/** Operations without a body refuse one: a caller that sends it expects something of it. */
export function refuseBody(request: IncomingMessage): void {
  if (hasBody(request)) throw invalidBody('', 'This operation takes no body.');
}

/**
 * An answer may be finished before its request's body has come. What is still on its way is dropped, so that the caller can read the
 * answer; who goes on sending is cut off.
 */
export function boundUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  response.once('finish', () => {
    if (request.complete) return;
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, drainMs).unref();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function refuseMediaType({ 'content-type': type = '', 'content-encoding': coding = 'identity' }: IncomingMessage['headers']): void {
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (media !== 'application/json' || (charset !== undefined && !/^("?)utf-8\1$/.test(charset))) {
    throw new Problem('unsupported_media_type', { detail: 'Send Content-Type: application/json in UTF-8.' });
  }
  if (coding.toLowerCase() !== 'identity')
    throw new Problem('unsupported_media_type', { detail: 'Send the body without Content-Encoding.' });
}

async function receive(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limits.requestBodyBytes) throw new Problem('content_too_large');
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limits.requestBodyBytes) break;
      chunks.push(chunk);
    }
  } catch {
    // The caller has hung up and will not read this.
    throw new Problem('invalid_request', { detail: 'The connection ended before the body did.' });
  }
  if (size > limits.requestBodyBytes) {
    request.resume();
    throw new Problem('content_too_large');
  }
  return Buffer.concat(chunks);
}
