import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What the next sync of a sandbox client brings. */
export const sandboxNextSyncQuery = graphql(`
  query SandboxNextSync($clientId: ID!, $first: Int!) {
    sandboxNextSync(clientId: $clientId, first: $first) {
      lastSyncAt
      fromBeginning
      total
      records {
        kind
        resourceId
        connectionId
        revision
        status
        revocationId
        at
      }
    }
  }
`);

export type NextSync = ResultOf<typeof sandboxNextSyncQuery>['sandboxNextSync'];
