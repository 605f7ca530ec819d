import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** One page of a client's certificates, those in use first. */
export const certificatesQuery = graphql(`
  query Certificates($clientId: ID!, $first: Int!, $after: String) {
    certificates(clientId: $clientId, first: $first, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          status
          source
          serial
          fingerprintSha256
          keyType
          keyName
          requestedAt
          issuedAt
          notAfter
          usableUntil
          revokedAt
          revocationReason
          crlPublishedAt
          failure
          bundlePath
          lastUsedAt
          renewals {
            id
            keyName
          }
          p12 {
            status
            claimUntil
          }
        }
      }
    }
  }
`);

export type CertificatePage = ResultOf<typeof certificatesQuery>['certificates'];
export type Certificate = CertificatePage['edges'][number]['node'];
