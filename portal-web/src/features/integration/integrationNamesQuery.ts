import { graphql } from '../../graphql/graphql.ts';

/** The names of the viewer's integrations, for choosing one. It reads as many as one page can hold. */
export const integrationNamesQuery = graphql(`
  query IntegrationNames {
    integrations(first: 100) {
      edges {
        node {
          id
          profile {
            publicName
          }
        }
      }
    }
  }
`);
