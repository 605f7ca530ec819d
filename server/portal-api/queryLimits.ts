import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, Kind, type ASTVisitor, type DocumentNode, type SelectionSetNode, type ValidationContext } from 'graphql';
// Its ES module build loads a second copy of graphql (index.mjs), whose types are not those of our schema.
import { getComplexity, simpleEstimator, type ComplexityEstimator } from 'graphql-query-complexity/cjs';
import { limits } from '../domain/shared/limits.ts';

/** Refuses documents that nest deeper than the limit; fragments count where they are spread. A validation rule. */
export function depthLimitRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(operation) {
      if (depthOf(operation.selectionSet, context.getDocument(), new Set()) <= limits.graphqlDepth) return;
      context.reportError(new GraphQLError(`The document nests deeper than ${limits.graphqlDepth} fields.`, { nodes: [operation] }));
    },
  };
}

function depthOf(selectionSet: SelectionSetNode | undefined, document: DocumentNode, spread: ReadonlySet<string>): number {
  if (!selectionSet) return 0;
  return Math.max(
    ...selectionSet.selections.map((selection) => {
      if (selection.kind === Kind.FIELD)
        return selection.name.value.startsWith('__') ? 0 : 1 + depthOf(selection.selectionSet, document, spread);
      if (selection.kind === Kind.INLINE_FRAGMENT) return depthOf(selection.selectionSet, document, spread);
      const name = selection.name.value;
      const fragment = document.definitions.find(
        (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
      );
      // A fragment inside itself is refused by GraphQL's own rules; here it only must not loop.
      if (spread.has(name) || fragment?.kind !== Kind.FRAGMENT_DEFINITION) return 0;
      return depthOf(fragment.selectionSet, document, new Set([...spread, name]));
    }),
  );
}

/** A list costs what it may return: `first` items, each with its fields. */
const pageEstimator: ComplexityEstimator = ({ args, childComplexity }) => {
  const first: unknown = args['first'];
  return typeof first === 'number' ? 1 + Math.max(1, Math.min(first, limits.pageSize)) * childComplexity : undefined;
};

const mutationCost = 100;

/** What changes something is dear, so that a document cannot do it hundreds of times. */
const mutationEstimator: ComplexityEstimator = ({ type, childComplexity }) =>
  type.name === 'Mutation' ? mutationCost + childComplexity : undefined;

/** Refuses operations whose cost is above the limit before anything is executed. */
export const costLimitPlugin: ApolloServerPlugin = {
  async requestDidStart() {
    return {
      async didResolveOperation({ schema, document, request, operationName }) {
        const cost = costOf({
          schema,
          query: document,
          variables: request.variables ?? {},
          ...(operationName !== null && { operationName }),
        });
        if (cost <= limits.graphqlCost) return;
        throw new GraphQLError(`The operation costs ${cost}; at most ${limits.graphqlCost} is allowed. Ask for fewer items or fields.`, {
          extensions: { code: 'BAD_USER_INPUT' },
        });
      },
    };
  },
};

/** The cost of an operation. Variables of a wrong type are found here first, and are the caller's mistake. */
function costOf(operation: Omit<Parameters<typeof getComplexity>[0], 'estimators'>): number {
  try {
    return getComplexity({ ...operation, estimators: [mutationEstimator, pageEstimator, simpleEstimator({ defaultComplexity: 1 })] });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw new GraphQLError(error.message, { extensions: { code: 'BAD_USER_INPUT' } });
  }
}
