import { graphql } from '../../graphql/graphql.ts';

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
