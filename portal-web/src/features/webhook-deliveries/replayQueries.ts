import { graphql, type VariablesOf } from '../../graphql/graphql.ts';

export const replayCountQuery = graphql(`
  query WebhookReplayCount($endpointId: ID!, $filter: ReplayFilterInput!) {
    replayCount(endpointId: $endpointId, filter: $filter) {
      count
      tooMany
      selectionDigest
      until
    }
  }
`);

export const replayDeliveryMutation = graphql(`
  mutation ReplayDelivery($input: ReplayDeliveryInput!) {
    replayDelivery(input: $input) {
      id
    }
  }
`);

export const replayDeliveriesMutation = graphql(`
  mutation ReplayDeliveries($input: ReplayDeliveriesInput!) {
    replayDeliveries(input: $input) {
      id
      count
    }
  }
`);

/** Which deliveries are replayed together. */
export type ReplayFilter = VariablesOf<typeof replayCountQuery>['filter'];
