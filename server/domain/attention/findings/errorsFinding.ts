import { factsOf, isOver } from '../../integration/integrationStatus.ts';
import { limits } from '../../shared/limits.ts';
import { loggedError } from '../../shared/errorCatalogue.ts';
import type { ClientFacts, IntegrationFacts, Refusal } from '../facts/IntegrationFacts.ts';
import { areFewRefused } from '../facts/refusedShare.ts';
import type { Finding } from './findingTypes.ts';
import { need } from './need.ts';
import { counted, numberWords } from '../../shared/text/numberWords.ts';
import { agoWords } from '../../shared/text/spanWords.ts';

const signal = 'errors';
const page = 'requests';

/**
 * Whether the client’s requests are refused now, that is in the present and the previous hour. What was refused is over once its operation
 * has been answered since, or production has been opened. Refusals for a certificate are somebody else’s, or of a back end that has not been given the new one. A few
 * refusals among many requests are in the log and need nobody. Before production is open, we refuse every call for data ourselves, and what
 * stands in the way is said elsewhere. The pages of the integration tell how many were refused in a day, so the number of two hours always says so.
 */
export function errorsFinding(facts: IntegrationFacts, client: ClientFacts): Finding {
  const { environment, requests, refused, refusedCertificates, refusedBefore, lastRefusal, refusedFor } = client;
  if (isOver(facts.status)) return { signal, level: 'quiet', word: 'Not counted', figure: 'every call is refused', page, needs: [] };
  if (environment === 'production' && !isOpen(facts)) {
    return { signal, level: 'quiet', word: 'Not counted while production is closed', figure: null, page, needs: [] };
  }
  const few = areFewRefused(client);
  if (few && (requests === 0 || refused / requests >= limits.refusedRequests.some) && isSyncRefused(client))
    return syncRefused(facts, client);
  if (requests === 0) return { signal, level: 'quiet', word: 'No requests in the last 2 hours', figure: null, page, needs: [] };
  if (refusedBefore >= requests)
    return { signal, level: 'quiet', word: 'No requests since production opened', figure: null, page, needs: [] };
  if (refused === 0 && refusedBefore > 0) {
    return { signal, level: 'healthy', word: 'Working again', figure: 'earlier calls were refused', page, needs: [] };
  }
  if (refused === 0) {
    return { signal, level: 'healthy', word: `${counted(requests, 'call')} in the last 2 hours`, figure: 'none refused', page, needs: [] };
  }
  if (few) return { signal, level: 'healthy', word: 'A few calls refused', figure: null, page, needs: [] };
  const level = isMostRefused(client) ? 'failing' : 'attention';
  const certificates = refusedCertificates >= refused / 2;
  const reasons = refusedFor.map(({ problem, count }) => ({ title: loggedError(problem)?.title ?? problem, count }));
  const item = certificates
    ? need(facts, 'certificateRefused', level, { environment, last: causeOf(lastRefusal) })
    : level === 'failing'
      ? need(facts, 'callsRefused', level, { environment, last: causeOf(lastRefusal), reasons, refused, requests })
      : need(facts, 'someRefused', level, { environment, last: causeOf(lastRefusal), reasons, lastSync: false, refused, requests });
  return {
    signal,
    level,
    word: `${numberWords(refused)} of ${counted(requests, 'call')} refused in 2 hours`,
    figure: certificates ? 'mostly because of the certificate' : null,
    page,
    needs: [item],
  };
}

function causeOf(refusal: Refusal | null): ReturnType<typeof loggedError> {
  return refusal?.problem ? loggedError(refusal.problem) : null;
}

/** Whether most of what the client asks for is refused now. Then nobody may say that data flows. */
export function isMostRefused({ requests, refused }: ClientFacts): boolean {
  const { least, most } = limits.refusedRequests;
  return refused >= least && refused >= requests * most;
}

/** Whether a call for data can be answered in production. */
function isOpen({ status, gateOpen }: IntegrationFacts): boolean {
  return factsOf(status, 'production').calls === 'yes' && gateOpen;
}

/** A back end that seldom syncs makes too few requests in two hours to be judged by their number. A sandbox is there to try things. */
function isSyncRefused({ environment, refusedSync }: ClientFacts): boolean {
  return environment === 'production' && refusedSync !== null;
}

function syncRefused(facts: IntegrationFacts, { environment, refusedSync }: ClientFacts): Finding {
  const since = refusedSync?.at ?? null;
  const needs = [need(facts, 'someRefused', 'attention', { environment, last: causeOf(refusedSync), lastSync: true }, { since })];
  return { signal, level: 'attention', word: 'Last sync refused', figure: since && agoWords(since, facts.asOf), page, needs };
}
