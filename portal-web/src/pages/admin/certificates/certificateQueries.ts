import { graphql, type ResultOf } from '../../../graphql/graphql.ts';

export const allCertificatesPart = graphql(`
  fragment AllCertificatesPart on Query {
    allCertificates(filter: $filter, first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          clientId
          environment
          commonName
          authorityId
          own
          integration {
            id
            slug
            profile {
              publicName
            }
          }
          owner {
            id
            email
          }
          certificate {
            id
            status
            source
            serial
            fingerprintSha256
            keyType
            requestedAt
            usableUntil
            notAfter
            lastUsedAt
            revokedAt
            revocationReason
            crlPublishedAt
            failure
          }
        }
      }
    }
  }
`);

export const allCertificatesQuery = graphql(
  `
    query AllCertificates($filter: CertificateFilterInput!, $after: String) {
      ...AllCertificatesPart
    }
  `,
  [allCertificatesPart],
);

/** What was renewed from one certificate; a whole page of them would cost more than a query may. */
export const certificateRenewalsQuery = graphql(`
  query CertificateRenewals($filter: CertificateFilterInput!) {
    allCertificates(filter: $filter, first: 1) {
      edges {
        node {
          certificate {
            id
            renewals {
              id
              keyName
            }
          }
        }
      }
    }
  }
`);

export const certificateAuthoritiesPart = graphql(`
  fragment CertificateAuthoritiesPart on Query {
    certificateAuthorities {
      id
      kind
      status
      hasKey
      notAfter
      crl {
        number
        thisUpdate
        nextUpdate
        revoked
      }
    }
  }
`);

export const certificateAuthoritiesQuery = graphql(
  `
    query CertificateAuthorities {
      ...CertificateAuthoritiesPart
    }
  `,
  [certificateAuthoritiesPart],
);

export const revokeAnyCertificateMutation = graphql(`
  mutation RevokeAnyCertificate($input: RevokeAnyCertificateInput!) {
    revokeAnyCertificate(input: $input) {
      id
      status
      revokedAt
    }
  }
`);

export const revokeClientCertificatesMutation = graphql(`
  mutation RevokeClientCertificates($input: RevokeClientCertificatesInput!) {
    revokeClientCertificates(input: $input) {
      revoked
    }
  }
`);

export type ListedCertificate = ResultOf<typeof allCertificatesQuery>['allCertificates']['edges'][number]['node'];
export type CertificateAuthority = ResultOf<typeof certificateAuthoritiesQuery>['certificateAuthorities'][number];

/** How a certificate came about. */
export const certificateSourceWords = {
  csr: 'Certificate request',
  p12: 'P12 package',
  est: 'Renewal through EST',
  unknown: 'Unknown',
} as const satisfies Record<ListedCertificate['certificate']['source'], string>;
