import { graphql } from '../../graphql/graphql.ts';

export const inboxCountQuery = graphql(`
  query InboxCount {
    viewer {
      attentionCount
      unreadNews
    }
  }
`);
