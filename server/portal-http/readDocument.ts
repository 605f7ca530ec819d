import { bodyParser } from '@koa/bodyparser';
import type { Middleware } from 'koa';
import { DomainError } from '../domain/shared/DomainError.ts';
import { limits } from '../domain/shared/limits.ts';
import { refuseEncoded } from './refuseEncoded.ts';
import type { PortalState } from './requestContext.ts';

/** Reads a GraphQL request's JSON. Only a good token that may feed resources is allowed a batch's size; everyone else's is small. */
export function readDocument(): Middleware<PortalState> {
  const usual = jsonUpTo(limits.graphqlBodyBytes);
  const batch = jsonUpTo(limits.toolingBodyBytes);
  return (ctx, next) => {
    refuseEncoded(ctx, 'Send the document without Content-Encoding.');
    return (ctx.state.serviceToken?.permissions.includes('resources.write') ? batch : usual)(ctx, next);
  };
}

function jsonUpTo(bytes: number): ReturnType<typeof bodyParser> {
  return bodyParser({
    enableTypes: ['json'],
    jsonLimit: bytes,
    onError(error) {
      if (!('status' in error && error.status === 413)) throw error;
      throw new DomainError('content_too_large', { detail: `Send at most ${bytes / 1024} KiB.` });
    },
  });
}
