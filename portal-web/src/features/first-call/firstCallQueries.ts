import { graphql } from '../../graphql/graphql.ts';

/** The last call of a client, or with one of its certificates, and whether a sync has been answered. */
export const lastCallQuery = graphql(`
  query LastCall($clientId: ID!, $serial: String) {
    requests(clientId: $clientId, filter: { serial: $serial }, first: 1) {
      edges {
        node {
          id
          status
          operation
          durationMs
          occurredAt
          title
          reason
          advice
        }
      }
    }
    syncs: requests(clientId: $clientId, filter: { serial: $serial, operation: "getSync", statusClass: succeeded }, first: 1) {
      edges {
        node {
          id
        }
      }
    }
  }
`);

/** What a sync brings to a sandbox client now, and its first record. */
export const firstRecordQuery = graphql(`
  query FirstRecord($clientId: ID!) {
    sandbox(clientId: $clientId) {
      orders
      vehicles
    }
    sandboxNextSync(clientId: $clientId, first: 1) {
      fromBeginning
      total
      tombstones
      firstRecord
    }
  }
`);
