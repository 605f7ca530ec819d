import { certificateFacts } from '../../certificate/certificateFacts.ts';
import { factsOf } from '../../integration/integrationStatus.ts';
import { type ProductionStepName, stepAhead, stepWords } from '../../notification/words/productionPath.ts';
import type { ClientFacts, IntegrationFacts } from './IntegrationFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';

/** Whether data has flowed to the client; one that may only read statistics has nothing to sync. */
export function hasFlowed({ maySync, lastSyncAt, lastRequestAt }: ClientFacts): boolean {
  return (maySync ? lastSyncAt : lastRequestAt) !== null;
}

/**
 * Whether production is being set up: it may be, but it has never worked, and nothing is refused. What is missing then is a step to take, not
 * a failure.
 */
export function isSettingUp({ status }: IntegrationFacts, client: ClientFacts): boolean {
  const { calls, isUnderWay } = factsOf(status, 'production');
  if (client.environment !== 'production' || !isUnderWay || hasFlowed(client)) return false;
  return calls !== 'yes' || (client.refused === 0 && client.refusedSync === null);
}

function isBeingIssued({ certificates }: ClientFacts): boolean {
  return certificates.length > 0 && certificates.every(({ status }) => factsIn(certificateFacts, status).stage === 'pending');
}

/** “Go live, step 4 of 5: get a production certificate”: what comes next, in the words of every page. Null once all steps are done. */
export function settingUpWords(facts: IntegrationFacts, client: ClientFacts): string | null {
  const step = stepOf(facts, client);
  if (step === 'certificate' && isBeingIssued(client)) return stepWords(step, 'the production certificate is being issued');
  return step && stepWords(step);
}

/** The step of the way to production that an integration has come to; null once all are done. */
function stepOf({ asOf, status, gateOpen }: IntegrationFacts, { certificates }: ClientFacts): ProductionStepName | null {
  const { calls, isUnderWay } = factsOf(status, 'production');
  return stepAhead({
    isInReview: false,
    isApproved: isUnderWay,
    isActivated: calls === 'yes',
    hasCertificate: certificates.some(
      (each) => factsIn(certificateFacts, each.status).stage === 'working' && each.usableUntil !== null && each.usableUntil > asOf,
    ),
    isGateOpen: gateOpen,
  });
}
