import { setImmediate } from 'node:timers/promises';
import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, Kind, type ASTVisitor, type SelectionNode, type SelectionSetNode, type ValidationContext } from 'graphql';
import { DomainError, type FieldError } from '../domain/shared/DomainError.ts';
import { graphqlLimits } from './graphqlLimits.ts';
import { operationCost } from './operationCost.ts';
import { unstorable, unstorableLiteral } from './storableText.ts';
import { variableErrors } from './variableErrors.ts';

/** A validation rule that refuses documents nested deeper than the limit. Fragments count where they are spread. */
export function depthLimitRule(context: ValidationContext): ASTVisitor {
  // Each fragment is measured once, however often it is spread. Spreads of spreads would otherwise double the work at every level.
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
    // GraphQL's own rules refuse a fragment inside itself. Here it must only not cause a loop.
    measured.set(name, 0);
    const depth = depthOf(context.getFragment(name)?.selectionSet);
    measured.set(name, depth);
    return depth;
  };
  return {
    OperationDefinition(operation) {
      if (depthOf(operation.selectionSet) <= graphqlLimits.graphqlDepth) return;
      context.reportError(new GraphQLError(`The document nests deeper than ${graphqlLimits.graphqlDepth} fields.`, { nodes: [operation] }));
    },
  };
}

/**
 * Refuses an operation before any of it is executed: one that costs more than the limit, one with variables that do not fit, or one with a
 * text that PostgreSQL cannot hold. The cheapest check comes first.
 */
export const operationLimitsPlugin: ApolloServerPlugin = {
  async requestDidStart() {
    return {
      async didResolveOperation({ schema, document, operation, request }) {
        // It is not clear which of several operations is meant. The execution will say so.
        if (!operation) return;
        const variables = request.variables ?? {};
        const cost = operationCost({ schema, document, operation, variables });
        if (cost > graphqlLimits.graphqlCost)
          throw badInput(`The operation costs ${cost}; at most ${graphqlLimits.graphqlCost} is allowed. Ask for fewer items or fields.`);
        const errors = variableErrors(schema, operation, variables);
        const literal = unstorableLiteral(document);
        if (literal !== null) errors.push({ path: literal, message: unstorable });
        if (errors.length > 0) throw badInput(errors.map(sentenceOf).join(' '), errors);
        // GraphQL coerces the variables next, which takes long for a large batch.
        await setImmediate();
      },
    };
  },
};

function sentenceOf({ path, message }: FieldError): string {
  return message === unstorable ? message : `${path} ${message}.`;
}

function badInput(message: string, fields: readonly FieldError[] = []): GraphQLError {
  const originalError = new DomainError('invalid_request', { detail: message, fields });
  return new GraphQLError(message, { originalError, extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } });
}
