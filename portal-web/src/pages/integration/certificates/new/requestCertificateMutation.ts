import { graphql } from '../../../../graphql/graphql.ts';

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
