import { graphql } from '../../graphql/graphql.ts';

/** Whether the service would take a slug; asked where it is typed, and decided again when the integration is created. */
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
