import { holdOf } from '../../integration/integrationStatus.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import type { ClientFacts, EndpointFacts, IntegrationFacts } from '../facts/IntegrationFacts.ts';
import type { Finding } from './findingTypes.ts';
import type { AttentionItem } from '../../notification/words/AttentionItem.ts';
import type { AttentionDetails } from '../../notification/words/attentionWords.ts';
import { need } from './need.ts';
import type { Environment } from '../../shared/environment.ts';
import { inSentence } from '../../shared/text/firstLetter.ts';
import { counted, numberWords } from '../../shared/text/numberWords.ts';
import { agoWords, roughSpanWords } from '../../shared/text/spanWords.ts';
import { failureCause, type FailureCause } from '../../webhook/failureCause.ts';
import { webhookEndpointFacts } from '../../outbox/webhookEndpointFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';

const signal = 'webhooks';
const page = 'webhooks';

/** Whether events reach the client’s endpoints, and what waits for somebody. */
export function webhooksFinding(facts: IntegrationFacts, { environment, deliveries, endpoints }: ClientFacts): Finding {
  if (deliveries.endpoints === 0) return { signal, level: 'quiet', word: 'No endpoint', figure: null, page, needs: [] };
  // A suspension or a closed gate holds deliveries, so what has failed before is not tried again, and says nothing about now: but for what is
  // never held.
  const isHeld = holdOf(facts.status) !== null || (environment === 'production' && !facts.gateOpen);
  const well = () => withoutNeeds(facts, { isHeld, last: deliveries.lastSuccessAt });
  if (endpoints.length === 0) return well();
  const failing = endpoints.filter((each) => (!isHeld || each.failsUnheld) && isFailing(each, facts.asOf));
  const paused = endpoints.filter(
    ({ status, pausedBy, held }) =>
      factsIn(webhookEndpointFacts, status).receives === 'notNow' && (pausedBy === 'administrator' || held > 0),
  );
  const unproven = endpoints.filter((each) => isUnproven(each, facts.asOf));
  const letters = sum(endpoints.map(({ dead }) => dead));
  const { at: gaveUpAt, host, cause } = undelivered(endpoints);
  const givenUp = {
    letters,
    cause,
    reasons: reasonsOf(endpoints, letters),
    more: endpoints.some(({ dead }) => dead >= webhookLimits.countedDeliveries),
  };
  // One line for one endpoint, whichever way it fails. What was given up on is not asked for while deliveries are held.
  const atOne = !isHeld && letters > 0 && failing.length === 1 && failing[0]?.dead === letters;
  const of = (endpoint: EndpointFacts) => ({ environment, endpointId: endpoint.id, host: hostOf(endpoint) });
  const needs: AttentionItem[] = [
    ...failingNeeds(facts, { environment, failing, givenUp: atOne ? givenUp : null }),
    ...paused.map((each) =>
      need(
        facts,
        'webhookPaused',
        each.pausedBy === 'administrator' ? 'failing' : 'attention',
        { ...of(each), by: each.pausedBy ?? 'owner' },
        { since: each.statusChangedAt },
      ),
    ),
    ...(letters > 0 && !atOne
      ? [
          // With an endpoint that fails there will be more of them.
          need(
            facts,
            'deadLetters',
            failing.some(({ dead }) => dead > 0) ? 'failing' : 'attention',
            { environment, host, ...givenUp },
            { since: gaveUpAt },
          ),
        ]
      : []),
    ...unproven.map((each) => need(facts, 'endpointUnproven', 'attention', of(each), { since: each.statusChangedAt })),
  ];
  if (needs.length === 0) return well();
  const level = needs.some((each) => each.level === 'failing') ? 'failing' : 'attention';
  return { signal, level, ...wordsOf(facts, endpoints, { failing, paused, unproven, letters }), page, needs };
}

function withoutNeeds({ asOf }: IntegrationFacts, { isHeld, last }: { isHeld: boolean; last: Date | null }): Finding {
  const ago = last && agoWords(last, asOf);
  // Neither good nor bad, and nothing to be done about it here: the status or the gate says so itself.
  if (isHeld) return { signal, level: 'quiet', word: 'Deliveries are held', figure: ago && `last delivery ${ago}`, page, needs: [] };
  return { signal, level: 'healthy', word: ago ? `Last delivery ${ago}` : 'Nothing delivered yet', figure: null, page, needs: [] };
}

/** Of a URL only the host is told, because its path may contain a secret. */
export function hostOf({ url }: Pick<EndpointFacts, 'url'>): string {
  return URL.parse(url)?.hostname ?? 'its address';
}

type Failing = {
  readonly environment: Environment;
  readonly failing: readonly EndpointFacts[];
  readonly givenUp: AttentionDetails['webhookFailing']['givenUp'];
};

/** One need for all that fail: it names the host of a single one, with all that was not delivered to it, and counts several. */
function failingNeeds(facts: IntegrationFacts, { environment, failing, givenUp }: Failing): AttentionItem[] {
  const [first] = failing.toSorted((a, b) => (a.failingSince?.getTime() ?? 0) - (b.failingSince?.getTime() ?? 0));
  if (!first) return [];
  const one = failing.length === 1;
  const details = {
    environment,
    hosts: failing.map(hostOf),
    endpointId: one ? first.id : null,
    cause: one ? causeOf(first.lastFailure) : null,
    retried: one && first.retried,
    givenUp,
  };
  return [need(facts, 'webhookFailing', 'failing', details, { since: first.failingSince })];
}

/** One failed attempt is repeated within a minute; an endpoint fails once several have failed in a row, or for an hour. */
function isFailing({ status, failingSince, failuresInRow }: EndpointFacts, asOf: Date): boolean {
  if (factsIn(webhookEndpointFacts, status).receives !== 'yes' || failingSince === null) return false;
  return (
    failuresInRow >= webhookLimits.webhookFailuresInRow || asOf.getTime() - failingSince.getTime() >= webhookLimits.webhookFailureAlerts[0]
  );
}

/** Its first challenge may still be under way, at which its owner is looking. */
function isUnproven({ status, statusChangedAt }: EndpointFacts, asOf: Date): boolean {
  return (
    factsIn(webhookEndpointFacts, status).receives === 'notYet' &&
    asOf.getTime() - statusChangedAt.getTime() >= webhookLimits.webhookChallengeLifetime
  );
}

type Found = { failing: EndpointFacts[]; paused: EndpointFacts[]; unproven: EndpointFacts[]; letters: number };

function wordsOf(facts: IntegrationFacts, endpoints: readonly EndpointFacts[], { failing, paused, unproven, letters }: Found) {
  const [first] = failing;
  const alsoUnproven = unproven.length > 0 ? `${counted(unproven.length, 'endpoint')} not proven` : null;
  if (first?.failingSince) {
    const lasts = facts.asOf.getTime() - first.failingSince.getTime();
    return {
      word: lasts < 60_000 ? 'Just started failing' : `Failing for ${roughSpanWords(lasts)}`,
      figure:
        letters > 0 ? besideWhatFails(causeOf(first.lastFailure), endpoints, letters) : told(causeOf(first.lastFailure), alsoUnproven),
    };
  }
  // How many are held says more than how many were never proven.
  if (paused.length > 0) return { word: 'Paused', figure: `${numberWords(sum(paused.map(({ held }) => held)))} held` };
  if (letters > 0) {
    const { cause } = undelivered(endpoints);
    const last =
      cause && letters > 1 && reasonsOf(endpoints, letters).length !== 1
        ? `most recently ${inSentence(cause.title)}`
        : told(cause, alsoUnproven);
    return { word: `${counted(letters, 'event')} not delivered`, figure: last };
  }
  return { word: 'Not proven', figure: null };
}

/** How many reasons of what was not delivered stand beside the one of what fails now. */
const namedReasons = 2;

/** As in “now status 503; 12 events not delivered (status 404, status 422)”: what is still tried fails for one reason, what was given up on may have others. */
function besideWhatFails(now: FailureCause | null, endpoints: readonly EndpointFacts[], letters: number): string {
  const reasons = reasonsOf(endpoints, letters).map(({ title }) => inSentence(title));
  const named = [...reasons.slice(0, namedReasons), ...(reasons.length > namedReasons ? ['others'] : [])].join(', ');
  const current = now && inSentence(now.title);
  return `${current ? `now ${current}; ` : ''}${counted(letters, 'event')} not delivered${named && named !== current ? ` (${named})` : ''}`;
}

/** Why it failed, in a few words; if that is not known, what else is to be told. */
function told(cause: FailureCause | null, also: string | null): string | null {
  return cause ? inSentence(cause.title) : also;
}

type Undelivered = { readonly host: string | null; readonly cause: FailureCause | null; readonly at: Date | null };

/** Why the newest dead letter became one, where and when: another delivery may have failed since for another reason. */
function undelivered(endpoints: readonly EndpointFacts[]): Undelivered {
  const timeOf = ({ deadLetter }: EndpointFacts) => deadLetter?.at.getTime() ?? 0;
  const [newest] = endpoints.toSorted((a, b) => timeOf(b) - timeOf(a));
  return { host: newest ? hostOf(newest) : null, cause: causeOf(newest?.deadLetter?.failure ?? null), at: newest?.deadLetter?.at ?? null };
}

/** Why all these letters became dead ones, the most frequent cause first; none where not all are known. */
function reasonsOf(endpoints: readonly EndpointFacts[], letters: number): { readonly title: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { count, ...failure } of endpoints.flatMap(({ deadFor }) => deadFor)) {
    const { title } = failureCause(failure);
    counts.set(title, (counts.get(title) ?? 0) + count);
  }
  const known = [...counts].map(([title, count]) => ({ title, count })).toSorted((a, b) => b.count - a.count);
  return sum(known.map(({ count }) => count)) === letters ? known : [];
}

function causeOf(failure: EndpointFacts['lastFailure']): FailureCause | null {
  return failure && failureCause(failure);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
