import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';

/** What the next sync of a sandbox client brings. */
export const sandboxNextSyncQuery = graphql(`
  query SandboxNextSync($clientId: ID!, $first: Int!) {
    sandboxNextSync(clientId: $clientId, first: $first) {
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

export type NextSync = ResultOf<typeof sandboxNextSyncQuery>['sandboxNextSync'];

/** The first records of a client’s next sync. */
export function nextRecords(clientId: string): VariablesOf<typeof sandboxNextSyncQuery> {
  return { clientId, first: 4 };
}
