import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const currentTermsPart = graphql(`
  fragment CurrentTermsPart on Query {
    currentTerms {
      version
      title
      markdown
      publishedAt
    }
  }
`);

export const currentTermsQuery = graphql(
  `
    query CurrentTerms {
      ...CurrentTermsPart
    }
  `,
  [currentTermsPart],
);

/** The current version together with the one that the reader has accepted, to compare them. */
export const termsToAcceptQuery = graphql(`
  query TermsToAccept($accepted: Int!, $hasAccepted: Boolean!) {
    currentTerms {
      version
      title
      markdown
      publishedAt
    }
    accepted: terms(version: $accepted) @include(if: $hasAccepted) {
      version
      markdown
    }
  }
`);

export const termsQuery = graphql(`
  query Terms($version: Int!) {
    terms(version: $version) {
      version
      title
      markdown
      publishedAt
    }
    currentTerms {
      version
    }
  }
`);

export const acceptTermsMutation = graphql(`
  mutation AcceptTerms($input: AcceptTermsInput!) {
    acceptTerms(input: $input) {
      acceptedTermsVersion
    }
  }
`);

export const termsAcceptancesPart = graphql(`
  fragment TermsAcceptancesPart on Query {
    viewer {
      operatorId
      termsAcceptances {
        termsVersion
        acceptedAt
        ip
      }
    }
  }
`);

export const termsAcceptancesQuery = graphql(
  `
    query TermsAcceptances {
      ...TermsAcceptancesPart
    }
  `,
  [termsAcceptancesPart],
);

export const termsVersionsPart = graphql(`
  fragment TermsVersionsPart on Query {
    termsVersions(first: 20, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          version
          title
          publishedAt
          publishedBy
          publishedByName
        }
      }
    }
  }
`);

export const termsVersionsQuery = graphql(
  `
    query TermsVersions($after: String) {
      ...TermsVersionsPart
    }
  `,
  [termsVersionsPart],
);

export const publishTermsMutation = graphql(`
  mutation PublishTerms($input: PublishTermsInput!) {
    publishTerms(input: $input) {
      version
    }
  }
`);

export type Terms = ResultOf<typeof currentTermsQuery>['currentTerms'];

export type AcceptedTerms = NonNullable<ResultOf<typeof termsToAcceptQuery>['accepted']>;
