import { graphql, type ResultOf, type VariablesOf } from '../../../graphql/graphql.ts';

export const sessionsPart = graphql(`
  fragment SessionsPart on Query {
    sessions(first: $first, after: $after) {
      edges {
        cursor
        node {
          id
          current
          createdAt
          lastUsedAt
          expiresAt
          ip
          userAgent
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const sessionsQuery = graphql(
  `
    query Sessions($first: Int!, $after: String) {
      ...SessionsPart
    }
  `,
  [sessionsPart],
);

/** The variables of the query for a page of sessions. */
export function sessionPage(after: string | null): VariablesOf<typeof sessionsQuery> {
  return { first: 20, after };
}

export type SessionPage = ResultOf<typeof sessionsQuery>['sessions'];
export type AccountSession = SessionPage['edges'][number]['node'];

export const endSessionMutation = graphql(`
  mutation EndSession($input: EndSessionInput!) {
    endSession(input: $input)
  }
`);

export const endOtherSessionsMutation = graphql(`
  mutation EndOtherSessions {
    endOtherSessions
  }
`);
