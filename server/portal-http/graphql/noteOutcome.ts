import type { ApolloServerPlugin, GraphQLResponse } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { Kind, type OperationDefinitionNode } from 'graphql';
import { retryAfterSeconds, unavailable } from '../../database/unavailable.ts';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { errorCatalogue } from '../../domain/shared/errorCatalogue.ts';
import type { PortalContext } from '../../portal-api/context.ts';

const longest = 200;

/** The codes that are not refusals by the domain, gravest first. */
const failures = ['internal_error', 'temporarily_unavailable'] as const;
type Failure = (typeof failures)[number];

/**
 * Notes the schema's operations that a document names and the code of its gravest refusal, for the log and the metrics, because most
 * GraphQL answers have status 200. Nothing that the caller made up is noted, neither names nor values. If the service failed, the status says so, too:
 * 500, or 503 with Retry-After, beside the data of the fields that did not fail.
 */
export const noteOutcome: ApolloServerPlugin<PortalContext> = {
  async requestDidStart({ contextValue }) {
    return {
      async didResolveOperation({ operation }) {
        if (operation) contextValue.note({ operations: operationsOf(operation) });
      },
      async willSendResponse({ errors = [], response }) {
        const codes = errors.map(codeOf);
        const failure = failures.find((code) => codes.includes(code));
        const [first] = codes;
        if (first !== undefined) contextValue.note({ errorCode: failure ?? first });
        if (failure) giveStatus(response, failure);
      },
    };
  },
};

/** After validation, only names from the schema itself are left. */
function operationsOf({ selectionSet }: OperationDefinitionNode): string {
  const names = selectionSet.selections.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : '…'));
  return names.join(' ').slice(0, longest);
}

function codeOf(error: unknown): string {
  const cause = unavailable(unwrapResolverError(error));
  if (cause instanceof DomainError) return cause.code;
  const code = (error as { extensions?: { code?: unknown } }).extensions?.code;
  // Whatever GraphQL itself refuses is a bad request, whatever it calls it.
  return code === undefined || code === 'INTERNAL_SERVER_ERROR' ? 'internal_error' : 'invalid_request';
}

function giveStatus({ http }: Pick<GraphQLResponse, 'http'>, failure: Failure): void {
  http.status = errorCatalogue[failure].status;
  if (failure === 'temporarily_unavailable') http.headers.set('retry-after', String(retryAfterSeconds));
}
