import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** How an integration is in one environment. */
export const healthFragment = graphql(`
  fragment HealthFacts on Health {
    environment
    level
    word
    sentence
    acts {
      label
      page
      environment
      objectId
      about
      level
    }
    unnamed
    needs
    asOf
    signals {
      signal
      level
      word
      figure
      deadline
      page
    }
  }
`);

export type Health = ResultOf<typeof healthFragment>;
