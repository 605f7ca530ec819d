import { graphql, type ResultOf } from '../../../graphql/graphql.ts';

/** Endpoints of all operators that fail, the longest first, or that administrators have paused. */
export const failingEndpointsQuery = graphql(`
  query FailingWebhookEndpoints($view: EndpointView!, $after: String) {
    failingWebhookEndpoints(view: $view, first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          own
          host
          environment
          status
          statusChangedAt
          pausedBy
          pauseReason
          health {
            lastSuccessAt
            failingSince
            waiting
            held
            dead
          }
          owner {
            id
            email
          }
          integration {
            id
            slug
            profile {
              publicName
            }
          }
        }
      }
    }
  }
`);

export const pauseAnyWebhookEndpointMutation = graphql(`
  mutation PauseAnyWebhookEndpoint($input: EndpointDecisionInput!) {
    pauseAnyWebhookEndpoint(input: $input) {
      id
    }
  }
`);

export const resumeAnyWebhookEndpointMutation = graphql(`
  mutation ResumeAnyWebhookEndpoint($input: EndpointDecisionInput!) {
    resumeAnyWebhookEndpoint(input: $input) {
      id
    }
  }
`);

export type FailingEndpoint = ResultOf<typeof failingEndpointsQuery>['failingWebhookEndpoints']['edges'][number]['node'];
