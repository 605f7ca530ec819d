import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { unavailable } from '../database/unavailable.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { errorCatalogue } from '../domain/shared/errorCatalogue.ts';
import type { Logger } from '../platform/logger.ts';

/** GraphQL's own refusals of a document. Their messages are about the document and safe to show. */
const documentErrors = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/**
 * What the browser sees of an error: a code of the catalogue with its message, or nothing but “internal”. Never a stack, SQL or anybody
 * else's data.
 */
export function createFormatError(logger: Logger) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const cause = unavailable(rootOf(error));
    if (cause instanceof DomainError) return formatRefusal(cause, formatted.path);
    const code = formatted.extensions?.['code'];
    if (typeof code === 'string' && documentErrors.has(code)) {
      const locations = formatted.locations && { locations: formatted.locations };
      return { message: formatted.message, ...locations, extensions: { code } };
    }
    logger.error({ err: cause }, 'graphql.internalError');
    return {
      message: 'Something went wrong on our side. Try again later.',
      ...(formatted.path && { path: formatted.path }),
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    };
  };
}

/** A refusal in GraphQL's form. Without a path, it concerns the whole request. */
export function formatRefusal(
  { code, message, fields, retryAfterSeconds }: DomainError,
  path?: GraphQLFormattedError['path'],
): GraphQLFormattedError {
  return {
    message,
    ...(path && { path }),
    extensions: {
      code: errorCatalogue[code].graphql,
      ...(fields.length > 0 && { fields }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  };
}

/** The error that was thrown below a resolver, or while the request's context was made. */
function rootOf(error: unknown): unknown {
  const cause = unwrapResolverError(error);
  return cause instanceof GraphQLError ? (cause.originalError ?? cause) : cause;
}
