import type { OperationContext } from '@urql/core';
import { graphql, type ResultOf, type VariablesOf } from '../../../graphql/graphql.ts';

/** Queries with this context are read again after each change of the sandbox, and whenever they are shown. */
export const sandboxContext = {
  requestPolicy: 'cache-and-network',
  additionalTypenames: ['SandboxChange', 'SandboxRevocation', 'GeneratedLinkCode', 'PublishedSandboxStatistics', 'SandboxCorpus'],
} satisfies Partial<OperationContext>;

export const sandboxPart = graphql(`
  fragment SandboxPart on Query {
    sandbox(clientId: $clientId) {
      corpus {
        generation
        state
        requestedAt
        readyAt
      }
      orders
      vehicles
      connections
      outstandingRevocations
      statistics {
        generationId
        publishedAt
        groupCount
      }
      grantableScopes
    }
  }
`);

export const sandboxQuery = graphql(
  `
    query Sandbox($clientId: ID!) {
      ...SandboxPart
    }
  `,
  [sandboxPart],
);

export const sandboxResourcesPart = graphql(`
  fragment SandboxResourcesPart on Query {
    sandboxResources(clientId: $clientId, type: $type, status: $status, connectionId: $connectionId, id: $id, first: 25, after: $after) {
      totalCount
      revokedCount
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          type
          connectionId
          status
          model
          market
          revision
          updatedAt
          revoked
          onVoyage
        }
      }
    }
  }
`);

export const sandboxResourcesQuery = graphql(
  `
    query SandboxResources($clientId: ID!, $type: ResourceType, $status: String, $connectionId: ID, $id: String, $after: String) {
      ...SandboxResourcesPart
    }
  `,
  [sandboxResourcesPart],
);

export const sandboxSharesQuery = graphql(`
  query SandboxShares($clientId: ID!, $first: Int!, $after: String) {
    sandboxShares(clientId: $clientId, first: $first, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          createdAt
          scopes
          statisticsOptedIn
          liveResources
          revoked
        }
      }
    }
  }
`);

export const sandboxLinkCodesPart = graphql(`
  fragment SandboxLinkCodesPart on Query {
    sandboxLinkCodes(clientId: $clientId, first: 25, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          state
          createdAt
          expiresAt
          redeemedAt
          connectionId
          failedAttempts
          orders
          vehicles
          scopes
          statisticsOptedIn
        }
      }
    }
  }
`);

export const sandboxLinkCodesQuery = graphql(
  `
    query SandboxLinkCodes($clientId: ID!, $after: String) {
      ...SandboxLinkCodesPart
    }
  `,
  [sandboxLinkCodesPart],
);

export type Sandbox = ResultOf<typeof sandboxQuery>['sandbox'];
type ResourcePage = ResultOf<typeof sandboxResourcesQuery>['sandboxResources'];
export type SandboxResource = ResourcePage['edges'][number]['node'];
export type SandboxShare = ResultOf<typeof sandboxSharesQuery>['sandboxShares']['edges'][number]['node'];
export type LinkCode = ResultOf<typeof sandboxLinkCodesQuery>['sandboxLinkCodes']['edges'][number]['node'];

/** The newest link codes, of which the first says what was chosen last. */
export function latestLinkCodes(clientId: string): VariablesOf<typeof sandboxLinkCodesQuery> {
  return { clientId, after: null };
}

/** A page of the resources that fit. */
export function resourcePage(
  clientId: string,
  filters: Pick<VariablesOf<typeof sandboxResourcesQuery>, 'type' | 'status' | 'connectionId' | 'id'>,
  after: string | null,
): VariablesOf<typeof sandboxResourcesQuery> {
  return { clientId, ...filters, after };
}

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
