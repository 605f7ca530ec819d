import { graphql } from '../../graphql/graphql.ts';

/** What the service says about a set of scopes: why it would refuse them, or what to consider before requesting them. */
export const scopeAdviceQuery = graphql(`
  query ScopeAdvice($scopes: [String!]!) {
    scopeAdvice(scopes: $scopes) {
      refusal
      warnings
    }
  }
`);
