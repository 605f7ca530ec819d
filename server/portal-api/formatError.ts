import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { unavailable } from '../database/unavailable.ts';
import { DomainError, type FieldError } from '../domain/shared/DomainError.ts';
import { errorCatalogue } from '../domain/shared/errorCatalogue.ts';
import { nameable } from '../domain/shared/nameable.ts';
import type { Logger } from '../platform/logger.ts';

/** GraphQL's own refusals of a document; their words are about the document and safe to show. */
const documentErrors = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** What the browser sees of an error: a catalogue code with words, or nothing but “internal”. Never a stack, SQL or another's data. */
export function createFormatError(logger: Logger) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const cause = unavailable(rootOf(error));
    if (cause instanceof DomainError) return formatRefusal(cause, formatted.path);
    const code = formatted.extensions?.['code'];
    if (typeof code === 'string' && documentErrors.has(code)) {
      const locations = formatted.locations && { locations: formatted.locations };
      const wrong = wrongVariable(formatted.message);
      if (!wrong) return { message: formatted.message, ...locations, extensions: { code } };
      return { message: wrong.message, ...locations, extensions: { code, fields: wrong.fields } };
    }
    logger.error({ err: cause }, 'graphql.internalError');
    return {
      message: 'Something went wrong here. Try again later.',
      ...(formatted.path && { path: formatted.path }),
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    };
  };
}

/** A refusal as GraphQL shows it; without a path it concerns the whole request. */
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

/** What was thrown below a resolver or while the request's context was made. */
function rootOf(error: unknown): unknown {
  const cause = unwrapResolverError(error);
  return cause instanceof GraphQLError ? (cause.originalError ?? cause) : cause;
}

/**
 * What is wrong with a variable, by the place that GraphQL names. It quotes the value as well, which could be a code or an address, so only
 * the place is repeated, and the name of a field that there is not where a name cannot be anything else.
 */
function wrongVariable(message: string): { message: string; fields: FieldError[] } | null {
  const [, variable, missing] = /^Variable "\$(\w+)" (?:got invalid value |(of required type) )/.exec(message) ?? [];
  if (variable === undefined) return null;
  const place = /^.* at "([\w.[\]]+)"; /s.exec(message)?.[1] ?? variable;
  const unknown = /; Field "([^"]*)" is not defined by type "\w+"\./.exec(message)?.[1];
  const required = /; Field "(\w+)" of required type "[^"]*" was not provided\./.exec(message)?.[1];
  if (unknown !== undefined) return refused(`${place}.${nameable(unknown)}`, 'is not a field that may be handed in');
  if (required !== undefined) return refused(`${place}.${required}`, 'is required');
  if (missing) return refused(variable, 'is required');
  return refused(place, 'has a value of the wrong type');
}

function refused(path: string, message: string): { message: string; fields: FieldError[] } {
  return { message: `${path} ${message}.`, fields: [{ path, message }] };
}
