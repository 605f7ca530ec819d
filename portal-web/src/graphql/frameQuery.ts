import { graphql } from './graphql.ts';

/** What the frame of every page needs: who the reader is, how many things wait for them, and public facts about the service. */
export const frameFragment = graphql(`
  fragment FrameFacts on Query {
    viewer {
      kind
      email
      operatorId
      roles
      singleKeys
      confirmedUntil
      acceptedTermsVersion
      termsToAccept
      sessionExpiresAt
      attentionCount
      attentionLevel
      unreadNews
    }
    service {
      portalUrl
      machineApiUrl
      developmentMailbox
      developmentCa
      developmentReceiver {
        host
        port
        tlsFolder
      }
      supportContact {
        url
        text
      }
      scopes {
        name
        grants
        needs
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

/** Read when the portal is opened, and every minute while somebody is signed in. */
export const frameQuery = graphql(
  `
    query Frame {
      ...FrameFacts
    }
  `,
  [frameFragment],
);
