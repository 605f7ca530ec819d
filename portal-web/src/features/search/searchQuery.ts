import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** Everything that a text names. The text is a variable: it may be an address, and no address belongs in a document or a URL. */
export const searchQuery = graphql(`
  query Find($text: String!) {
    find(text: $text) {
      found {
        kind
        id
        view
        name
        environment
        state
        endpointId
        submissionId
        integration {
          slug
          publicName
        }
      }
      unfound {
        title
        text
      }
    }
  }
`);

export type SearchHit = ResultOf<typeof searchQuery>['find']['found'][number];
