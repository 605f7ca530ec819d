import { graphql, type ResultOf } from '../../../graphql/graphql.ts';

export const sandboxNextSyncPart = graphql(`
  fragment SandboxNextSyncPart on Query {
    sandboxNextSync(clientId: $clientId, first: 4) {
      lastSyncAt
      fromBeginning
      total
      tombstones
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

/** What the next sync of a sandbox client brings, and its first records. */
export const sandboxNextSyncQuery = graphql(
  `
    query SandboxNextSync($clientId: ID!) {
      ...SandboxNextSyncPart
    }
  `,
  [sandboxNextSyncPart],
);

export type NextSync = ResultOf<typeof sandboxNextSyncQuery>['sandboxNextSync'];
