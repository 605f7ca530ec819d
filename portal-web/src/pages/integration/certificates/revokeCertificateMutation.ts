import { graphql } from '../../../graphql/graphql.ts';

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
