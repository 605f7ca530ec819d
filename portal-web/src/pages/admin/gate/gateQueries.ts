import { graphql } from '../../../graphql/graphql.ts';

export const serviceGatePart = graphql(`
  fragment ServiceGatePart on Query {
    serviceGate {
      open
      reason
      changedAt
    }
  }
`);

/** The service's gate. */
export const serviceGateQuery = graphql(
  `
    query ServiceGate {
      ...ServiceGatePart
    }
  `,
  [serviceGatePart],
);

export const serviceGateHistoryPart = graphql(`
  fragment ServiceGateHistoryPart on Query {
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

/** A page of the history of the service's gate. */
export const serviceGateHistoryQuery = graphql(
  `
    query ServiceGateHistory($after: String) {
      ...ServiceGateHistoryPart
    }
  `,
  [serviceGateHistoryPart],
);

export const productionIntegrationsPart = graphql(`
  fragment ProductionIntegrationsPart on Query {
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

/** A page of the approved integrations with their gates. */
export const productionIntegrationsQuery = graphql(
  `
    query ProductionIntegrations($status: GatedStatus, $open: Boolean, $search: String, $after: String) {
      ...ProductionIntegrationsPart
    }
  `,
  [productionIntegrationsPart],
);

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
