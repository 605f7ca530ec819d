import type { ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { Kind, type OperationDefinitionNode } from 'graphql';
import { unavailable } from '../database/unavailable.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import type { PortalContext } from '../portal-api/context.ts';

const longest = 200;

/**
 * Tells, per document, the operations of the schema that it named and the code of its first refusal, for the log and the metrics: over
 * GraphQL every answer is a 200. Nothing that the caller has made up is told, neither names nor values.
 */
export const noteOutcome: ApolloServerPlugin<PortalContext> = {
  async requestDidStart({ contextValue }) {
    return {
      async didResolveOperation({ operation }) {
        if (operation) contextValue.note({ operations: operationsOf(operation) });
      },
      async willSendResponse({ errors }) {
        const [first] = errors ?? [];
        if (first) contextValue.note({ errorCode: codeOf(first) });
      },
    };
  },
};

/** After validation only the schema's own names are left. */
function operationsOf({ selectionSet }: OperationDefinitionNode): string {
  const names = selectionSet.selections.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : '…'));
  return names.join(' ').slice(0, longest);
}

function codeOf(error: unknown): string {
  const cause = unavailable(unwrapResolverError(error));
  if (cause instanceof DomainError) return cause.code;
  const code = (error as { extensions?: { code?: unknown } }).extensions?.code;
  // What GraphQL itself refuses is a bad request, whatever it calls it.
  return code === undefined || code === 'INTERNAL_SERVER_ERROR' ? 'internal_error' : 'invalid_request';
}
