import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** Something that needs the reader, with its one act. */
export const attentionFragment = graphql(`
  fragment AttentionFacts on AttentionItem {
    id
    kind
    topic
    level
    title
    detail
    text
    since
    deadline
    timeForm
    deletions {
      words
      count
      retired
      subjectId
    }
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
/** What a line of needs is made from, whatever kind it is of. */
export type NeedLine = Omit<AttentionItem, 'kind'>;
export type Act = AttentionItem['act'];

/** What asks for deletions, to be told in one line: `before` so many of the other lines, with how much more there is than these. */
export type Together = {
  readonly before: number;
  readonly items: readonly AttentionItem[];
  readonly inAll: Readonly<Record<'count' | 'overdue' | 'integrations', number>>;
  readonly more: Readonly<Record<'count' | 'integrations', number>>;
};
