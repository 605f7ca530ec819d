import { graphql, type ResultOf } from '../../../graphql/graphql.ts';

const certificateFragment = graphql(`
  fragment CertificateFacts on Certificate {
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
`);

/** What the page of a client's certificates shows: those in use, a page of those that have ended, and the one that an address names. */
export const clientCertificatesQuery = graphql(
  `
    query ClientCertificates($slug: String!, $clientId: ID!, $first: Int!, $after: String, $chosen: ID, $chooses: Boolean!) {
      inUse: certificates(clientId: $clientId, selection: inUse, first: 5) {
        edges {
          node {
            ...CertificateFacts
          }
        }
      }
      ended: certificates(clientId: $clientId, selection: ended, first: $first, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            ...CertificateFacts
          }
        }
      }
      chosen: certificates(clientId: $clientId, id: $chosen, first: 1) @include(if: $chooses) {
        edges {
          node {
            ...CertificateFacts
          }
        }
      }
      integration(slug: $slug) {
        id
        clients {
          id
          errorGroups(first: 3) {
            id
            problem
            serial
            count
            lastAt
            open
          }
        }
      }
    }
  `,
  [certificateFragment],
);

export type Certificate = ResultOf<typeof certificateFragment>;
export type RefusedCalls = ResultOf<typeof clientCertificatesQuery>['integration']['clients'][number]['errorGroups'][number];

/** What a page of a client's certificates asks for, and the chosen one in addition, wherever it stands. */
export function certificatesPage(
  slug: string,
  clientId: string,
  { after, chosen }: { readonly after: string | null; readonly chosen: string | null },
) {
  return { slug, clientId, first: 20, after, chosen, chooses: chosen?.startsWith('crt_') ?? false };
}

/** Revokes one of the owner's certificates. */
export const revokeCertificateMutation = graphql(`
  mutation RevokeCertificate($input: RevokeCertificateInput!) {
    revokeCertificate(input: $input) {
      id
      status
      revokedAt
    }
  }
`);

/** Sends a certificate request. The answer names the files: the key, its request and the certificate. */
export const requestCertificateMutation = graphql(`
  mutation RequestCertificate($input: RequestCertificateInput!) {
    requestCertificate(input: $input) {
      id
      status
      keyName
    }
  }
`);
