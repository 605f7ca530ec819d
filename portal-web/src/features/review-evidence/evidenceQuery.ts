import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** The evidence of one kind. */
export const evidenceFragment = graphql(`
  fragment EvidenceFacts on Evidence {
    kind
    title
    explanation
    seen {
      firstAt
      lastAt
      count
    }
    companion {
      title
      against
      seen {
        firstAt
        lastAt
        count
      }
    }
  }
`);

export type Evidence = ResultOf<typeof evidenceFragment>;
export type Sighting = NonNullable<Evidence['seen']>;
