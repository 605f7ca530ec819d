import { GraphQLError, type ASTVisitor, type ValidationContext } from 'graphql';

/** A validation rule that refuses operations of a kind that the schema does not have: subscriptions. GraphQL's own rules accept them. */
export function rootTypeRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return;
      context.reportError(new GraphQLError(`The schema has no ${node.operation}.`, { nodes: [node] }));
    },
  };
}
