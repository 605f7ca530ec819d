import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { attentionFragment } from '../../../features/attention/attentionFragment.ts';

/** What needs the reader, and a page of their news. */
export const inboxQuery = graphql(
  `
    query Inbox($unread: Boolean!, $first: Int!, $after: String) {
      viewer {
        email
        unreadNews
        attentionCount
        attention {
          ...AttentionFacts
        }
      }
      news(unread: $unread, first: $first, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            id
            at
            read
            settled
            title
            text
            facts {
              name
              value
            }
            action {
              label
              path
            }
            integration {
              slug
              publicName
            }
          }
        }
      }
    }
  `,
  [attentionFragment],
);

export const markNewsReadMutation = graphql(`
  mutation MarkNewsRead($input: MarkNewsReadInput!) {
    markNewsRead(input: $input)
  }
`);

export const markAllNewsReadMutation = graphql(`
  mutation MarkAllNewsRead($input: MarkAllNewsReadInput!) {
    markAllNewsRead(input: $input)
  }
`);

export type NewsItem = ResultOf<typeof inboxQuery>['news']['edges'][number]['node'];
