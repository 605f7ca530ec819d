import { challengeFacts } from '../../../../server/domain/webhook/challengeFacts.ts';
import { integrationFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { inSentence } from '../../../../server/domain/shared/text/firstLetter.ts';
import { counted } from '../../ui/text/counted.ts';
import { comingWords, elapsedWords, relativeWords } from '../../ui/time/timeWords.ts';
import type { StatusTone } from '../../ui/values/statusTone.ts';
import type { Challenge, Endpoint } from './webhookQueries.ts';
import { unheldTypeNames } from './webhookWords.ts';

/** What an endpoint’s integration says about its deliveries. */
export type Surroundings = {
  readonly status: keyof typeof integrationFacts;
  readonly statusChangedAt: string | null;
  readonly productionDataEnabled: boolean;
  /** Since when a gate is closed, the integration’s own or the service’s. */
  readonly productionDataStoppedAt: string | null;
};

type EndpointHealth = {
  readonly tone: StatusTone;
  /** The worst of its signals in a few words. */
  readonly title: string;
  /** What it means, and the step that helps. */
  readonly words: string;
  /** What its owner can do about it on its page, in the words of what needs them; without it, nothing. */
  readonly act?: 'Prove the endpoint' | 'View the attempts' | 'View the deliveries' | 'View the endpoint';
};

type Tried = Pick<Challenge, 'status'> & { readonly steps: readonly Pick<Challenge['steps'][number], 'name' | 'outcome'>[] };

type Judged = Pick<Endpoint, 'status' | 'environment' | 'statusChangedAt' | 'pausedBy' | 'pauseReason' | 'removedAt' | 'health'> & {
  readonly challenge: Tried | null;
};

type StatusHold = NonNullable<(typeof integrationFacts)[keyof typeof integrationFacts]['holds']>;

const holdWords: Readonly<Record<StatusHold, { why: string; until: string }>> = {
  integration_suspended: { why: 'The integration is suspended.', until: 'an administrator reactivates it' },
};

const unheld = `${unheldTypeNames.slice(0, -1).join(', ')} and ${unheldTypeNames.at(-1) ?? ''}`;

/** Whether an endpoint’s deliveries arrive, and if not, since when and what to do: the worst of its signals. */
export function healthOf(endpoint: Judged, integration: Surroundings, now: Date): EndpointHealth {
  return (
    ofStatus(endpoint, now) ??
    ofSurroundings(endpoint, integration, now) ??
    ofFailures(endpoint, now) ??
    ofDeadLetters(endpoint, now) ??
    ofSuccess(endpoint)
  );
}

/** What has to change before an endpoint is judged differently. */
export function healthNews({
  id,
  status,
  health: { failingSince, failuresInRow, held, dead },
}: Pick<Endpoint, 'id' | 'status' | 'health'>): string {
  return [id, status, failingSince, failuresInRow, held, dead].join();
}

function ofStatus({ status, challenge, health, removedAt, pausedBy, pauseReason }: Judged, now: Date): EndpointHealth | null {
  const { receives } = webhookEndpointFacts[status];
  if (receives === 'never') {
    const when = removedAt ? relativeWords(new Date(removedAt), now) : 'earlier';
    return { tone: 'stopped', title: `Removed ${when}`, words: 'Nothing is sent to it any more.' };
  }
  if (receives === 'notYet') return ofProof(challenge);
  if (receives === 'unknown')
    return { tone: 'neutral', title: 'Unknown', words: 'Another release of the service gave it a status. Deliveries are held.' };
  if (receives !== 'notNow') return null;
  const waits = health.held > 0 ? ` ${heldWords(health.held)}` : '';
  if (pausedBy === 'administrator') {
    const why = pauseReason ? ` The reason: ${pauseReason}` : '';
    return { tone: 'bad', title: 'Paused by an administrator', words: `Only an administrator can resume it.${why}${waits}` };
  }
  // As what needs the owner: only where something waits for it.
  return {
    tone: health.held > 0 ? 'waiting' : 'stopped',
    title: 'Paused',
    words: `Nothing is sent until you resume it.${waits}`,
    act: 'View the endpoint',
  };
}

/** Where a challenge failed, in a few words; null of a step of a later release. */
const stepPlaces = {
  addresses: 'looking up the address',
  connection: 'connecting',
  tls: 'the TLS handshake',
  status: 'the status of the answer',
  body: 'the body of the answer',
  unknown: null,
} as const satisfies Record<Challenge['steps'][number]['name'], string | null>;

function failedAt({ steps }: Tried): string {
  const step = steps.find(({ outcome }) => outcome === 'failed');
  const place = step && stepPlaces[step.name];
  return place ? ` at ${place}` : '';
}

/** Whatever it waits for, its owner is asked to prove it. */
function ofProof(challenge: Judged['challenge']): EndpointHealth {
  if (challenge && challengeFacts[challenge.status].isRunning) {
    return { tone: 'working', title: 'Being proven', words: 'We are sending the challenge to your receiver.' };
  }
  const words =
    challenge && !challengeFacts[challenge.status].proves
      ? `Nothing is sent: the last challenge failed${failedAt(challenge)}.`
      : 'Nothing is sent until the endpoint has answered a challenge.';
  return { tone: webhookEndpointFacts.registered.tone, title: 'Not proven', words, act: 'Prove the endpoint' };
}

/** As on the overview: neither good nor bad, and nothing to be done about it here; the status or the gate says so itself. */
const heldTone: StatusTone = 'neutral';

function ofSurroundings(endpoint: Judged, integration: Surroundings, now: Date): EndpointHealth | null {
  const { status, statusChangedAt, productionDataEnabled, productionDataStoppedAt } = integration;
  const { holds } = integrationFacts[status];
  if (holds !== null) {
    const { why, until } = holdWords[holds];
    return {
      tone: heldTone,
      title: heldFor(endpoint, statusChangedAt, now),
      words: `${why} Deliveries continue once ${until}. Only ${unheld} are still sent.`,
    };
  }
  if (endpoint.environment === 'production' && !productionDataEnabled) {
    return {
      tone: heldTone,
      title: heldFor(endpoint, productionDataStoppedAt, now),
      words: `The production gate is closed. Deliveries continue once administrators have opened it. Only ${unheld} are still sent.`,
    };
  }
  return null;
}

/** An endpoint that became active later has been held for less long. */
function heldFor({ statusChangedAt }: Judged, since: string | null, now: Date): string {
  if (since === null) return 'Held';
  return `Held ${elapsedWords(new Date(Math.max(Date.parse(since), Date.parse(statusChangedAt))), now)}`;
}

function ofFailures({ health }: Judged, now: Date): EndpointHealth | null {
  const { failingSince, failuresInRow, waiting, nextAttemptAt, lastFailure, dead, deadLetterCause } = health;
  if (!failingSince) return null;
  // What was given up on may have failed for another reason; the endpoint's page explains each.
  const why = deadLetterCause && ` (${dead > 1 ? 'most recently: ' : ''}${inSentence(deadLetterCause.title)})`;
  const next = nextAttemptAt && comingWords(new Date(nextAttemptAt), now);
  return {
    tone: 'bad',
    title:
      now.getTime() - Date.parse(failingSince) < 60_000 ? 'Just started failing' : `Failing ${elapsedWords(new Date(failingSince), now)}`,
    words: [
      failureWords(lastFailure) ??
        (failuresInRow > 1 ? `The last ${counted(failuresInRow, 'attempt')} all failed.` : 'The last attempt failed.'),
      next && (waiting > 0 ? `${waitingWords(waiting)} ${next}.` : `The next attempt is ${next}.`),
      dead > 0 &&
        `${counted(dead, 'event')} ${dead === 1 ? 'is' : 'are'} not retried${why ?? ''}: fix the receiver, and replay ${dead === 1 ? 'it' : 'them'}.`,
    ]
      .filter(Boolean)
      .join(' '),
    act: 'View the attempts',
  };
}

function ofDeadLetters({ health: { dead, lastSuccessAt, deadLetterCause } }: Judged, now: Date): EndpointHealth | null {
  if (dead === 0) return null;
  const others = lastSuccessAt && `Other deliveries get through, most recently ${relativeWords(new Date(lastSuccessAt), now)}.`;
  return {
    // As what needs the owner about them: only with an endpoint that fails do they fail as well.
    tone: 'waiting',
    title: `${counted(dead, 'event')} not delivered`,
    words: [failureWords(deadLetterCause), unretriedWords(dead), others].filter(Boolean).join(' '),
    act: 'View the deliveries',
  };
}

function waitingWords(waiting: number): string {
  return waiting === 1 ? '1 event is tried again' : `${counted(waiting, 'event')} are tried again, the next`;
}

function unretriedWords(dead: number): string {
  return dead === 1
    ? 'The event is not retried automatically: fix the receiver, and replay it.'
    : 'The events are not retried automatically: fix the receiver, and replay them.';
}

/** Why it failed, as in "Status 503: Your receiver failed." */
function failureWords(failure: Judged['health']['lastFailure']): string | null {
  return failure && `${failure.title}: ${failure.what}`;
}

function ofSuccess({ health: { lastSuccessAt, waiting } }: Judged): EndpointHealth {
  const queue = waiting > 0 ? ` ${counted(waiting, 'delivery')} on the way.` : '';
  if (!lastSuccessAt) {
    return { tone: 'neutral', title: 'Ready', words: `Nothing has been sent yet. The next event appears here automatically.${queue}` };
  }
  return {
    tone: 'good',
    title: 'Working',
    words: `Deliveries arrive.${queue}`,
  };
}

function heldWords(held: number): string {
  return held === 1 ? 'One delivery is held until then.' : `${held.toLocaleString('en')} deliveries are held until then.`;
}
