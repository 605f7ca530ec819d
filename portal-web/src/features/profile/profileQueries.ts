import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** A page of an integration's profile versions, and which fields can change now. */
export const profileQuery = graphql(`
  query Profile($slug: String!, $first: Int!, $after: String) {
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
    }
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

export type ProfileFacts = ResultOf<typeof profileQuery>;
export type ProfileField = ProfileFacts['integration']['profileFields'][number];
export type VersionPage = ProfileFacts['profileVersions'];
export type RevisedProfile = VersionPage['edges'][number]['node'];
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
