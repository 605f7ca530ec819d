import { graphql } from '../../graphql/graphql.ts';

export const acceptTermsMutation = graphql(`
  mutation AcceptTerms($input: AcceptTermsInput!) {
    acceptTerms(input: $input) {
      acceptedTermsVersion
    }
  }
`);

export const createIntegrationMutation = graphql(`
  mutation CreateIntegration($input: CreateIntegrationInput!) {
    createIntegration(input: $input) {
      id
      slug
    }
  }
`);
