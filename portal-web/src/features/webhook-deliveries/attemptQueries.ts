import { graphql, type VariablesOf } from '../../graphql/graphql.ts';

export const waitingCountQuery = graphql(`
  query WebhookWaitingCount($endpointId: ID!, $filter: WaitingFilterInput!) {
    waitingCount(endpointId: $endpointId, filter: $filter) {
      count
      tooMany
      until
    }
  }
`);

export const attemptDeliveryMutation = graphql(`
  mutation AttemptDelivery($input: AttemptDeliveryInput!) {
    attemptDelivery(input: $input) {
      id
      nextAttemptAt
    }
  }
`);

export const attemptDeliveriesMutation = graphql(`
  mutation AttemptDeliveries($input: AttemptDeliveriesInput!) {
    attemptDeliveries(input: $input)
  }
`);

/** Which waiting deliveries are tried together. */
export type WaitingFilter = VariablesOf<typeof waitingCountQuery>['filter'];
