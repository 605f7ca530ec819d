import { graphql } from '../../graphql/graphql.ts';

/** The service's gate. */
export const serviceGateQuery = graphql(`
  query ServiceGate {
    serviceGate {
      open
      reason
      changedAt
    }
  }
`);

/** A page of the history of the service's gate. */
export const serviceGateHistoryQuery = graphql(`
  query ServiceGateHistory($after: String) {
    serviceGateHistory(first: 20, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          open
          reason
          changedAt
          changedBy
          changedByName
        }
      }
    }
  }
`);

/** A page of the approved integrations with their gates. */
export const productionIntegrationsQuery = graphql(`
  query ProductionIntegrations($status: GatedStatus, $open: Boolean, $search: String, $after: String) {
    productionIntegrations(status: $status, open: $open, search: $search, first: 20, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          slug
          status
          profile {
            publicName
          }
          productionGate {
            open
            reason
            changedAt
          }
        }
      }
    }
  }
`);

export const openServiceGateMutation = graphql(`
  mutation OpenServiceGate($input: GateDecisionInput!) {
    openProductionGate(input: $input) {
      open
    }
  }
`);

export const closeServiceGateMutation = graphql(`
  mutation CloseServiceGate($input: GateDecisionInput!) {
    closeProductionGate(input: $input) {
      open
    }
  }
`);
