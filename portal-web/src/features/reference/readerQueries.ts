import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** The reader's integrations with what their commands are made of. */
export const readerClientsQuery = graphql(`
  query ReaderClients {
    integrations(first: 50) {
      edges {
        node {
          id
          slug
          profile {
            publicName
          }
          clients {
            id
            environment
            commonName
            nextKeyName
            certificatesInUse {
              id
              keyName
              lastUsedAt
            }
          }
        }
      }
    }
  }
`);

/** A client's last call of one operation, and identifiers of its own that calls can name. */
export const lastCallQuery = graphql(`
  query LastCall($clientId: ID!, $operation: String!, $slug: String!, $environment: Environment!, $sandbox: Boolean!) {
    requests(clientId: $clientId, filter: { operation: $operation }, first: 1) {
      edges {
        node {
          id
          occurredAt
          status
          problem
          title
          durationMs
        }
      }
    }
    orders: sandboxResources(clientId: $clientId, first: 1, type: order) @include(if: $sandbox) {
      edges {
        node {
          id
        }
      }
    }
    vehicles: sandboxResources(clientId: $clientId, first: 1, type: vehicle) @include(if: $sandbox) {
      edges {
        node {
          id
        }
      }
    }
    revocations(slug: $slug, environment: $environment, first: 1) {
      edges {
        node {
          id
        }
      }
    }
  }
`);

export type ReaderIntegration = ResultOf<typeof readerClientsQuery>['integrations']['edges'][number]['node'];
export type ReaderClient = ReaderIntegration['clients'][number];
export type LastCallFacts = ResultOf<typeof lastCallQuery>;
