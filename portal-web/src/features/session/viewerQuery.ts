import { graphql } from '../../graphql/graphql.ts';

export const viewerQuery = graphql(`
  query Viewer {
    viewer {
      kind
      email
      operatorId
      roles
      singleKeys
      confirmedUntil
      acceptedTermsVersion
      termsToAccept
      sessionExpiresAt
    }
  }
`);
