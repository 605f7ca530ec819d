import { unwrapResolverError } from '@apollo/server/errors';
import type { GraphQLFormattedError } from 'graphql';
import { unavailable } from '../database/unavailable.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { errorCatalogue } from '../domain/shared/errorCatalogue.ts';
import type { Logger } from '../platform/logger.ts';

/** GraphQL's own refusals of a document; their words are about the document and safe to show. */
const documentErrors = new Set(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT', 'OPERATION_RESOLUTION_FAILURE', 'BAD_REQUEST']);

/** What the browser sees of an error: a catalogue code with words, or nothing but “internal”. Never a stack, SQL or another's data. */
export function createFormatError(logger: Logger) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const cause = unavailable(unwrapResolverError(error));
    if (cause instanceof DomainError) {
      return {
        message: cause.message,
        ...(formatted.path && { path: formatted.path }),
        extensions: {
          code: errorCatalogue[cause.code].graphql,
          ...(cause.fields.length > 0 && { fields: cause.fields }),
          ...(cause.retryAfterSeconds !== undefined && { retryAfterSeconds: cause.retryAfterSeconds }),
        },
      };
    }
    const code = formatted.extensions?.['code'];
    if (typeof code === 'string' && documentErrors.has(code)) {
      // A variable of the wrong type would be quoted in the message; it could be a code or an address.
      const message = formatted.message.startsWith('Variable "') ? (formatted.message.replace(/got invalid value .*?( at "|;)/s, 'got an invalid value$1')) : formatted.message;
      return { message, ...(formatted.locations && { locations: formatted.locations }), extensions: { code } };
    }
    logger.error({ err: cause }, 'graphql.internalError');
    return { message: 'Something went wrong here. Try again later.', ...(formatted.path && { path: formatted.path }), extensions: { code: 'INTERNAL_SERVER_ERROR' } };
  };
}
