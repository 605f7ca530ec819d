import type { IncomingMessage } from 'node:http';
import { limits } from '../../server/domain/shared/limits.ts';
import { hasBody, receiveBody } from '../../server/platform/http/receiveBody.ts';
import { invalidBody, Problem } from '../answer/problemDetails.ts';
import { type JsonObject, readJsonObject } from './readJsonObject.ts';

/**
 * Reads the body of a request as a JSON object that has no members but these. Throws 415, 413 (the rest is read and dropped), or a 400 that
 * names what is wrong. A body that never arrives is ended by the request's time limit.
 */
export async function readBody(request: IncomingMessage, known: readonly string[]): Promise<JsonObject> {
  refuseMediaType(request.headers);
  return readJsonObject(await receiveBody(request, limits.requestBodyBytes), known);
}

/** Refuses a body for an operation that takes none. A caller that sends one expects it to have an effect. */
export function refuseBody(request: IncomingMessage): void {
  if (hasBody(request)) throw invalidBody('', 'This operation takes no body.');
}

function refuseMediaType(headers: IncomingMessage['headers']): void {
  const { 'content-type': type = '' } = headers;
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (media !== 'application/json' || (charset !== undefined && !/^("?)utf-8\1$/.test(charset))) {
    throw new Problem('unsupported_media_type', { detail: 'Send Content-Type: application/json in UTF-8.' });
  }
  refuseContentCoding(headers);
}

/** Throws 415 if the body is compressed. */
export function refuseContentCoding({ 'content-encoding': coding = 'identity' }: IncomingMessage['headers']): void {
  if (coding.toLowerCase() !== 'identity')
    throw new Problem('unsupported_media_type', { detail: 'Send the body without Content-Encoding.' });
}
