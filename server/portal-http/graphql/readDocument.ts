import { setImmediate } from 'node:timers/promises';
import { Lexer, Source, TokenKind } from 'graphql';
import type { Middleware } from 'koa';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { graphqlLimits } from '../../portal-api/graphqlLimits.ts';
import { receiveBody } from '../../platform/http/receiveBody.ts';
import { refuseUnboundedJson } from './jsonBounds.ts';
import { refuseEncoded } from '../refuseEncoded.ts';
import type { PortalState } from '../requestContext.ts';

/**
 * Reads the JSON object of a GraphQL request. How large it may be depends on its sender: only a good token that may feed resources may send
 * a whole batch, and a stranger may send less than someone who has signed in. It must therefore come after the caller is known. Errors:
 * unsupported_media_type, content_too_large, invalid_request.
 */
export const readDocument: Middleware<PortalState> = async (ctx, next) => {
  refuseEncoded(ctx, 'Send the document without Content-Encoding.');
  if (!ctx.is('json')) throw new DomainError('unsupported_media_type', { detail: 'Send Content-Type: application/json.' });
  const most = bytesAllowed(ctx.state);
  const bytes = await receiveBody(ctx.req, most, `Send at most ${most / 1024} KiB.`);
  refuseUnboundedJson(bytes);
  // A large body takes time to check, to parse and to process. Others get their turn in between.
  await setImmediate();
  const body = parseObject(bytes);
  refuseLongDocument(body['query']);
  if (!ctx.state.serviceToken && !ctx.state.session) refuseManyTokens(body['query'], graphqlLimits.strangersTokens);
  Object.assign(ctx.request, { body });
  await setImmediate();
  await next();
};

function bytesAllowed({ serviceToken, session }: PortalState): number {
  if (serviceToken?.permissions.includes('resources.write')) return graphqlLimits.toolingBodyBytes;
  return serviceToken || session ? graphqlLimits.graphqlBodyBytes : graphqlLimits.anonymousBodyBytes;
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const body = jsonOf(bytes);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Readonly<Record<string, unknown>>;
  throw new DomainError('invalid_request', { detail: 'Send a JSON object with the member query.' });
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new DomainError('invalid_request', { detail: 'The body is not JSON in UTF-8.' });
  }
}

/** Anybody who has much to send uses variables. Each mistake in a document costs a count of its lines. */
function refuseLongDocument(query: unknown): void {
  if (typeof query !== 'string') return;
  if (query.length > graphqlLimits.graphqlBodyBytes)
    throw new DomainError('content_too_large', {
      detail: `A document has at most ${graphqlLimits.graphqlBodyBytes / 1024} KiB. Send data as variables.`,
    });
  if (query.split(/\r\n|[\n\r]/, graphqlLimits.graphqlLines + 1).length <= graphqlLimits.graphqlLines) return;
  throw new DomainError('invalid_request', { detail: `A document has at most ${graphqlLimits.graphqlLines} lines.` });
}

/** Comparing fields of one name takes time with the square of their number, so a stranger may send less than Apollo allows everybody. */
function refuseManyTokens(query: unknown, most: number): void {
  if (typeof query !== 'string') return;
  const lexer = new Lexer(new Source(query));
  try {
    for (let tokens = 0; lexer.advance().kind !== TokenKind.EOF; tokens += 1)
      if (tokens === most)
        throw new DomainError('invalid_request', { detail: `Without a session or token, a document has at most ${most} tokens.` });
  } catch (error) {
    // What is not a token is refused with its place when the document is parsed.
    if (error instanceof DomainError) throw error;
  }
}
