import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** Something that needs the reader, with its one act. */
export const attentionFragment = graphql(`
  fragment AttentionFacts on AttentionItem {
    id
    kind
    level
    title
    detail
    text
    since
    deadline
    act {
      label
      page
      environment
      objectId
    }
    integration {
      slug
      publicName
    }
  }
`);

export type AttentionItem = ResultOf<typeof attentionFragment>;
export type Act = AttentionItem['act'];
