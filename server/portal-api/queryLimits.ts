import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, Kind, type ASTVisitor, type SelectionNode, type SelectionSetNode, type ValidationContext } from 'graphql';
// Its ES module build loads a second copy of graphql (index.mjs), whose types are not those of our schema.
import { fieldExtensionsEstimator, getComplexity, simpleEstimator, type ComplexityEstimator } from 'graphql-query-complexity/cjs';
import { limits } from '../domain/shared/limits.ts';

/** Refuses documents that nest deeper than the limit; fragments count where they are spread. A validation rule. */
export function depthLimitRule(context: ValidationContext): ASTVisitor {
  // Each fragment is measured once, however often it is spread: spreads of spreads would double the work at every level.
  const measured = new Map<string, number>();
  const depthOf = (selectionSet: SelectionSetNode | undefined): number => {
    if (!selectionSet) return 0;
    return selectionSet.selections.reduce((deepest, selection) => Math.max(deepest, depthOfSelection(selection)), 0);
  };
  const depthOfSelection = (selection: SelectionNode): number => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return depthOf(selection.selectionSet);
    if (selection.kind === Kind.FIELD) return selection.name.value.startsWith('__') ? 0 : 1 + depthOf(selection.selectionSet);
    const name = selection.name.value;
    const known = measured.get(name);
    if (known !== undefined) return known;
    // A fragment inside itself is refused by GraphQL's own rules; here it only must not loop.
    measured.set(name, 0);
    const depth = depthOf(context.getFragment(name)?.selectionSet);
    measured.set(name, depth);
    return depth;
  };
  return {
    OperationDefinition(operation) {
      if (depthOf(operation.selectionSet) <= limits.graphqlDepth) return;
      context.reportError(new GraphQLError(`The document nests deeper than ${limits.graphqlDepth} fields.`, { nodes: [operation] }));
    },
  };
}

/** A list costs what it may return: `first` items, each with its fields. */
const pageEstimator: ComplexityEstimator = ({ args, childComplexity }) => {
  const first: unknown = args['first'];
  return typeof first === 'number' ? 1 + Math.max(1, Math.min(first, limits.pageSize)) * childComplexity : undefined;
};

const rootCosts = new Map([
  ['Mutation', 900],
  ['Query', 150],
]);

/** What stands at the root is dear: it asks the database or changes something, and aliases could repeat it hundreds of times. */
const rootEstimator: ComplexityEstimator = ({ type, args, childComplexity, ...rest }) => {
  const rootCost = rootCosts.get(type.name);
  return rootCost === undefined ? undefined : rootCost + (pageEstimator({ type, args, childComplexity, ...rest }) ?? childComplexity);
};

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
          extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
        });
      },
    };
  },
};

/** Lists without pages say what they cost beside their fields (`fieldCosts.ts`). */
const estimators = [rootEstimator, pageEstimator, fieldExtensionsEstimator(), simpleEstimator({ defaultComplexity: 1 })];

/** The cost of an operation. Variables of a wrong type are found here first, and are the caller's mistake. */
function costOf(operation: Omit<Parameters<typeof getComplexity>[0], 'estimators'>): number {
  try {
    return getComplexity({ ...operation, estimators });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw new GraphQLError(error.message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } });
  }
}
