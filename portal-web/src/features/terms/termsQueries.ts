import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const currentTermsQuery = graphql(`
  query CurrentTerms {
    currentTerms {
      version
      title
      markdown
      publishedAt
    }
  }
`);

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
  }
`);

export const acceptTermsMutation = graphql(`
  mutation AcceptTerms($input: AcceptTermsInput!) {
    acceptTerms(input: $input) {
      acceptedTermsVersion
    }
  }
`);

export const termsAcceptancesQuery = graphql(`
  query TermsAcceptances {
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

export const termsVersionsQuery = graphql(`
  query TermsVersions($after: String) {
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

export const publishTermsMutation = graphql(`
  mutation PublishTerms($input: PublishTermsInput!) {
    publishTerms(input: $input) {
      version
    }
  }
`);

export type Terms = ResultOf<typeof currentTermsQuery>['currentTerms'];

export type AcceptedTerms = NonNullable<ResultOf<typeof termsToAcceptQuery>['accepted']>;
