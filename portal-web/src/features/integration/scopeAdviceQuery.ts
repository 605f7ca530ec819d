import { graphql } from '../../graphql/graphql.ts';

/** The service's rules for a set of scopes: why it is refused, or what to think of before asking for it. */
export const scopeAdviceQuery = graphql(`
  query ScopeAdvice($scopes: [String!]!) {
    scopeAdvice(scopes: $scopes) {
      refusal
      warnings
    }
  }
`);
