import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const sessionsQuery = graphql(`
  query Sessions($first: Int!, $after: String) {
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

export type SessionPage = ResultOf<typeof sessionsQuery>['sessions'];
export type AccountSession = SessionPage['edges'][number]['node'];

export const endSessionMutation = graphql(`
  mutation EndSession($input: EndSessionInput!) {
    endSession(input: $input)
  }
`);
