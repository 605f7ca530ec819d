import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';

export const profilePart = graphql(`
  fragment ProfilePart on Query {
    integration(slug: $slug) {
      id
      reviewedProfileVersion
      availableActions
      profileFields {
        name
        label
        consentRelevant
        minor
        revisable
      }
      webhookEndpoints {
        id
        status
      }
    }
  }
`);

/** Which fields of an integration's profile can change now, and which version was reviewed. */
export const profileQuery = graphql(
  `
    query Profile($slug: String!) {
      ...ProfilePart
    }
  `,
  [profilePart],
);

/** A page of the profile's versions. */
export const versionsQuery = graphql(`
  query ProfileVersions($slug: String!, $first: Int!, $after: String) {
    profileVersions(slug: $slug, first: $first, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          profile {
            version
            createdAt
          }
          changes {
            field
            label
            before
            after
            consentRelevant
            minor
          }
        }
      }
    }
  }
`);

/** The variables of the query for a page of versions. */
export function versionPage(slug: string, after: string | null): VariablesOf<typeof versionsQuery> {
  return { slug, first: 10, after };
}

export type ProfileFacts = ResultOf<typeof profileQuery>;
export type ProfileField = ProfileFacts['integration']['profileFields'][number];
export type RevisedProfile = ResultOf<typeof versionsQuery>['profileVersions']['edges'][number]['node'];
export type ProfileChange = RevisedProfile['changes'][number];

export const reviseProfileMutation = graphql(`
  mutation ReviseProfile($input: ReviseProfileInput!) {
    reviseProfile(input: $input) {
      id
      profile {
        version
      }
      clients {
        id
        corpus {
          state
        }
      }
    }
  }
`);

export const retireIntegrationMutation = graphql(`
  mutation RetireIntegration($input: RetireIntegrationInput!) {
    retireIntegration(input: $input) {
      id
      status
      clients {
        id
        certificatesInUse {
          id
          status
        }
      }
    }
  }
`);
