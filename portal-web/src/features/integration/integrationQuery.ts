import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import { phaseFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { corpusFacts } from '../../../../server/domain/sandbox/corpusFacts.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { healthFragment } from '../attention/healthFragment.ts';
import { profileFragment } from './profileFragment.ts';

/** A client with its corpus and its pending and usable certificates. */
const clientFragment = graphql(`
  fragment ClientFacts on Client {
    id
    environment
    commonName
    scopes
    lastRequestAt
    lastSyncAt
    quotaOverrides {
      quota
      value
      expiresAt
    }
    corpus {
      state
      startedAt
      readyAt
    }
    corpusContents {
      orders
      vehicles
      statistics
    }
    nextKeyName
    renewalByEst
    certificatesInUse {
      id
      status
      bundlePath
      keyName
      serial
      issuedAt
      notAfter
      usableUntil
      lastUsedAt
      p12 {
        status
      }
    }
  }
`);

/** Everything that the pages of one integration share. */
export const integrationFragment = graphql(
  `
    fragment IntegrationFacts on Integration {
      id
      slug
      status
      phases {
        sandbox
        production
      }
      createdAt
      statusReason
      statusChangedAt
      outstandingDeletions {
        outstanding
      }
      reviewedProfileVersion
      availableActions
      productionDataEnabled
      productionDataStoppedAt
      reviewWaitsFor
      sandbox: health(environment: sandbox) {
        ...HealthFacts
      }
      production: health(environment: production) {
        ...HealthFacts
      }
      productionGate {
        open
        reason
        changedAt
      }
      serviceGate {
        open
        reason
        changedAt
      }
      timeline {
        step
        at
        by
        reason
      }
      latestSteps {
        step
        at
      }
      profile {
        ...ProfileFacts
      }
      clients {
        ...ClientFacts
      }
    }
  `,
  [clientFragment, healthFragment, profileFragment],
);

export const integrationQuery = graphql(
  `
    query Integration($slug: String!) {
      integration(slug: $slug) {
        ...IntegrationFacts
      }
    }
  `,
  [integrationFragment],
);

export type Integration = ResultOf<typeof integrationQuery>['integration'];
export type Client = Integration['clients'][number];
/** What an integration’s status means in one environment. */
export type Phase = Integration['phases']['sandbox'];

/** Whether it has ended for good. */
export function isOver({ phases }: { phases: Pick<Integration['phases'], 'sandbox'> }): boolean {
  return phaseFacts[phases.sandbox].calls === 'never';
}

/** Whether calls used to be answered in a phase like this and are refused now, for a time or for good. */
export function isStopped(phase: Phase): boolean {
  const { calls } = phaseFacts[phase];
  return calls === 'notNow' || calls === 'never';
}

type Step = Integration['latestSteps'][number]['step'];

/** Whether production has ever been opened: by its owner, or by an administrator in their place. */
export function wasEverActive({ latestSteps }: { readonly latestSteps: readonly { readonly step: Step }[] }): boolean {
  return latestSteps.some(({ step }) => step === 'activated' || step === 'reactivated');
}

/** Whether anything about the integration is about to change without the reader's doing. */
export function isChanging(integration: Integration): boolean {
  return integration.clients.some(
    ({ corpus, certificatesInUse }) =>
      (corpus && corpusFacts[corpus.state].isUnderWay) ||
      certificatesInUse.some(({ status }) => certificateFacts[status].stage === 'pending'),
  );
}

/** The integration's sandbox client. Every integration has one. */
export function sandboxClient(integration: Pick<Integration, 'clients'>): Client | null {
  return integration.clients.find(({ environment }) => environment === 'sandbox') ?? null;
}

/** The integration's production client, which exists once the integration has been approved. */
export function productionClient(integration: Pick<Integration, 'clients'>): Client | null {
  return integration.clients.find(({ environment }) => environment === 'production') ?? null;
}
