import { graphql, type ResultOf } from '../../../graphql/graphql.ts';

export const serviceTokensQuery = graphql(`
  query ServiceTokens($environment: Environment, $search: String, $order: ServiceTokenOrder!, $after: String) {
    serviceTokens(environment: $environment, search: $search, order: $order, first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          name
          environment
          permissions
          createdAt
          createdBy
          createdByName
          expiresAt
          lastUsedAt
          revokedAt
        }
      }
    }
  }
`);

export const createServiceTokenMutation = graphql(`
  mutation CreateServiceToken($input: CreateServiceTokenInput!) {
    createServiceToken(input: $input) {
      token
      serviceToken {
        id
        name
        environment
        expiresAt
      }
    }
  }
`);

export const revokeServiceTokenMutation = graphql(`
  mutation RevokeServiceToken($input: RevokeServiceTokenInput!) {
    revokeServiceToken(input: $input) {
      id
      revokedAt
    }
  }
`);

export type ServiceToken = ResultOf<typeof serviceTokensQuery>['serviceTokens']['edges'][number]['node'];
export type CreatedToken = ResultOf<typeof createServiceTokenMutation>['createServiceToken'];

/** How the list of tokens can be ordered. */
export const tokenOrders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'ending', label: 'Valid ones, soonest to expire first' },
] as const;
export type TokenOrder = (typeof tokenOrders)[number]['value'];

/** The permissions that a token can have, and what each allows. */
export const permissionWords = {
  'resources.write': 'Add, update and withdraw orders and stock vehicles.',
  'shares.write': 'Create link codes; extend, narrow and revoke shares; set who takes part in statistics.',
  'shares.read': 'List a user’s shares.',
  'users.erase': 'Revoke all of a user’s shares and erase the user.',
  'statistics.publish': 'Publish statistics generations.',
  'catalogue.read': 'List the integrations that users can link.',
} as const;
