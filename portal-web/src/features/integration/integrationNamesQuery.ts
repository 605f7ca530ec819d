import { graphql } from '../../graphql/graphql.ts';

export const integrationNamesPart = graphql(`
  fragment IntegrationNamesPart on Query {
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

/** The names of the viewer's integrations, for choosing one. It reads as many as one page can hold. */
export const integrationNamesQuery = graphql(
  `
    query IntegrationNames {
      ...IntegrationNamesPart
    }
  `,
  [integrationNamesPart],
);
