import { graphql } from '../../graphql/graphql.ts';

/** Whether a slug is available. The service checks again when the integration is created. */
export const slugAvailableQuery = graphql(`
  query SlugAvailable($slug: String!) {
    slugAvailable(slug: $slug)
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
