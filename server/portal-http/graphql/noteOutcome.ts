import type { ApolloServerPlugin, GraphQLResponse } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { type GraphQLError, Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { causeOf, retryAfterSeconds, unavailable } from '../../database/unavailable.ts';
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
 * 500, or 503 with Retry-After, beside the data of the fields that did not fail. A mutation that has taken effect did not fail, even if its
 * answer cannot be read: the status stays 200, and the error says `done`.
 */
export const noteOutcome: ApolloServerPlugin<PortalContext> = {
  async requestDidStart({ contextValue }) {
    return {
      async didResolveOperation({ operation }) {
        if (operation) contextValue.note({ operations: operationsOf(operation) });
      },
      async willSendResponse({ errors = [], response, operation }) {
        const refusals = errors.map((error) => refusalOf(error, operation));
        const failure = failures.find((code) => refusals.some((refusal) => refusal.code === code));
        const [first] = refusals;
        if (first !== undefined) contextValue.note({ errorCode: failure ?? first.code, cause: refusals.find(({ cause }) => cause)?.cause });
        sayWhatIsDone(response, refusals);
        const undone = failures.find((code) => refusals.some((refusal) => refusal.code === code && !refusal.done));
        if (undone) giveStatus(response, undone);
      },
    };
  },
};

/** After validation, only names from the schema itself are left. */
function operationsOf({ selectionSet }: OperationDefinitionNode): string {
  const names = selectionSet.selections.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : '…'));
  return names.join(' ').slice(0, longest);
}

type Refusal = {
  readonly code: string;
  readonly cause?: string | undefined;
  /** The mutation has taken effect; only a field of its answer has failed. */
  readonly done: boolean;
};

function refusalOf(error: unknown, operation: OperationDefinitionNode | undefined): Refusal {
  const { path, extensions } = error as Partial<GraphQLError>;
  const done = operation?.operation === OperationTypeNode.MUTATION && (path?.length ?? 0) > 1;
  const cause = unavailable(unwrapResolverError(error));
  if (cause instanceof DomainError) return { code: cause.code, cause: causeOf(cause), done };
  const code = extensions?.['code'];
  // Whatever GraphQL itself refuses is a bad request, whatever it calls it.
  return { code: code === undefined || code === 'INTERNAL_SERVER_ERROR' ? 'internal_error' : 'invalid_request', done };
}

/** Nobody is told that a change which is stored has failed, because they would do it again. */
function sayWhatIsDone({ body }: Pick<GraphQLResponse, 'body'>, refusals: readonly Refusal[]): void {
  if (body.kind !== 'single') return;
  const { errors } = body.singleResult;
  if (!errors) return;
  body.singleResult.errors = errors.map((error, index) => {
    const refusal = refusals[index];
    if (!refusal?.done || !failures.some((code) => code === refusal.code)) return error;
    const message = 'This was done, but its result could not be read. Reload the page to see it.';
    return { ...error, message, extensions: { ...error.extensions, done: true } };
  });
}

function giveStatus({ http }: Pick<GraphQLResponse, 'http'>, failure: Failure): void {
  http.status = errorCatalogue[failure].status;
  if (failure === 'temporarily_unavailable') http.headers.set('retry-after', String(retryAfterSeconds));
}
