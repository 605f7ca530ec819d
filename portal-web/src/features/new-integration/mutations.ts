import { graphql } from '../../graphql/graphql.ts';

export const createIntegrationMutation = graphql(`
  mutation CreateIntegration($input: CreateIntegrationInput!) {
    createIntegration(input: $input) {
      id
      slug
    }
  }
`);
