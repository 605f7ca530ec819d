import { graphql } from './graphql.ts';

/** Public facts about the service: its addresses, scopes and limits. */
export const serviceQuery = graphql(`
  query Service {
    service {
      portalUrl
      machineApiUrl
      developmentMailbox
      developmentCa
      supportContact {
        url
        text
      }
      scopes {
        name
        grants
      }
      attribution {
        text
        link
        badgeUrl
        badgeIntegrity
      }
      limits {
        requestsPerHour
        requestsPerMinute
        concurrentRequests
        certificateDays
        certificatesPerEnvironment
        webhookEndpoints
        corpusOrders
        corpusVehicles
        pollingMinutes
      }
    }
  }
`);
