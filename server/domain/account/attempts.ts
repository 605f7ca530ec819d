import { noteLock } from '../shared/locks.ts';
import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../shared/DomainError.ts';
import { webhookLimits } from '../outbox/webhookLimits.ts';
import { accountLimits } from './accountLimits.ts';
import { sql } from '../shared/sql.ts';
import { numberWords } from '../shared/text/numberWords.ts';

const fifteenMinutes = 15 * 60 * 1000;
const hour = 60 * 60 * 1000;

/**
 * What is counted, how much of it a window allows, and what a caller reads after that. A source always belongs to the caller: a network, a
 * session or an account. If it were something that anybody can name, such as an address or a credential, anybody could use it up for its
 * owner. A mailbox is therefore counted together with the network, and alone only with a limit that keeps it from being flooded.
 */
const attemptRules = {
  registration_mailbox_ip: {
    limit: accountLimits.registrationsPerMailboxAndIpPerHour,
    window: hour,
    words: 'Too many links to this address were requested from your network. Check the mailbox of this address.',
  },
  registration_mailbox: {
    limit: accountLimits.registrationsPerMailboxPerHour,
    window: hour,
    words: 'Too many links were requested for this address. Check the mailbox of this address.',
  },
  registration_ip: {
    limit: accountLimits.registrationsPerIpPerHour,
    window: hour,
    words: 'Too many links were requested from your network.',
  },
  email_change_operator: {
    limit: accountLimits.emailChangesPerOperatorPerHour,
    window: hour,
    words: 'Too many changes of address were requested. Check your mailbox.',
  },
  sign_in_ip: {
    limit: accountLimits.failedSignInsPerIpPer15Minutes,
    window: fifteenMinutes,
    words:
      'This passkey could not be verified, and too many sign-ins from your network have failed. A passkey of an account is still accepted.',
  },
  confirmation_session: {
    limit: accountLimits.failedConfirmationsPerSessionPer15Minutes,
    window: fifteenMinutes,
    words: 'Too many confirmations have failed.',
  },
  recovery_ip: {
    limit: accountLimits.failedRecoveriesPerIpPer15Minutes,
    window: fifteenMinutes,
    words: 'This code is not valid, and too many invalid codes were entered from your network. A valid code is still accepted.',
  },
  integration_operator: {
    limit: accountLimits.integrationsPerOperatorPerDay,
    window: 24 * hour,
    words: `At most ${accountLimits.integrationsPerOperatorPerDay} integrations can be created a day.`,
  },
  change_operator: {
    limit: accountLimits.changesPerOperatorPerDay,
    window: 24 * hour,
    words: `At most ${accountLimits.changesPerOperatorPerDay} new names of passkeys and changes of notifications, renewals and webhook endpoints can be made a day.`,
  },
  passkey_operator: {
    limit: accountLimits.passkeysAddedPerOperatorPerDay,
    window: 24 * hour,
    words: `At most ${accountLimits.passkeysAddedPerOperatorPerDay} passkeys can be added to an account a day.`,
  },
  session_operator: {
    limit: accountLimits.sessionsEndedPerOperatorPerDay,
    window: 24 * hour,
    words: `At most ${accountLimits.sessionsEndedPerOperatorPerDay} sessions can be ended one by one a day. All others can still be ended together.`,
  },
  recovery_codes_operator: {
    limit: accountLimits.recoveryCodesPerOperatorPerDay,
    window: 24 * hour,
    words: `New recovery codes can be generated at most ${accountLimits.recoveryCodesPerOperatorPerDay} times a day.`,
  },
  submission_operator: {
    limit: accountLimits.submissionsPerOperatorPerDay,
    window: 24 * hour,
    words: `Integrations can be submitted for review at most ${accountLimits.submissionsPerOperatorPerDay} times a day.`,
  },
  business_model_report_operator: {
    limit: accountLimits.businessModelReportsPerOperatorPerDay,
    window: 24 * hour,
    words: `At most ${accountLimits.businessModelReportsPerOperatorPerDay} changes of business models can be reported a day.`,
  },
  audit_export_operator: {
    limit: accountLimits.auditExportsPerOperatorPerHour,
    window: hour,
    words: `The audit trail can be exported at most ${accountLimits.auditExportsPerOperatorPerHour} times an hour.`,
  },
  slug_operator: {
    limit: accountLimits.slugChecksPerOperatorPerHour,
    window: hour,
    words: 'You have checked too many slugs.',
  },
  find_operator: {
    limit: accountLimits.findsPerOperatorPer15Minutes,
    window: fifteenMinutes,
    words: 'You have made too many searches.',
  },
  owner_view: { limit: 1, window: 30 * 60 * 1000, words: 'This visit is on record.' },
  logo_operator: {
    limit: accountLimits.logoUploadsPerOperatorPerHour,
    window: hour,
    words: `At most ${accountLimits.logoUploadsPerOperatorPerHour} logos can be uploaded an hour.`,
  },
  refused_csr_operator: {
    limit: accountLimits.refusedCsrsPerOperatorPerHour,
    window: hour,
    words: 'Too many certificate requests of this account were refused.',
  },
  webhook_operator: {
    limit: webhookLimits.webhookRegistrationsPerOperatorPerDay,
    window: 24 * hour,
    words: `At most ${webhookLimits.webhookRegistrationsPerOperatorPerDay} webhook endpoints can be registered a day.`,
  },
  challenge_endpoint: {
    limit: webhookLimits.webhookChallengesPerEndpointPerHour,
    window: hour,
    words: `An endpoint can be verified at most ${webhookLimits.webhookChallengesPerEndpointPerHour} times an hour.`,
  },
  receiver_check_endpoint: {
    limit: webhookLimits.receiverChecksPerEndpointPerHour,
    window: hour,
    words: `A receiver can be checked at most ${webhookLimits.receiverChecksPerEndpointPerHour} times an hour.`,
  },
  receiver_check_operator: {
    limit: webhookLimits.receiverChecksPerOperatorPerHour,
    window: hour,
    words: `Receivers can be checked at most ${webhookLimits.receiverChecksPerOperatorPerHour} times an hour.`,
  },
  test_event_endpoint: {
    limit: webhookLimits.testEventsPerEndpointPerHour,
    window: hour,
    words: `An endpoint can be sent at most ${webhookLimits.testEventsPerEndpointPerHour} test events an hour.`,
  },
  signed_sample_endpoint: {
    limit: webhookLimits.signedSamplesPerEndpointPerHour,
    window: hour,
    words: `At most ${webhookLimits.signedSamplesPerEndpointPerHour} samples can be signed an hour.`,
  },
  replay_operator: {
    limit: webhookLimits.replaysPerOperatorPerDay,
    window: 24 * hour,
    words: `At most ${numberWords(webhookLimits.replaysPerOperatorPerDay)} deliveries can be replayed or tried now in a day.`,
  },
  challenge_operator: {
    limit: webhookLimits.webhookChallengesPerOperatorPerHour,
    window: hour,
    words: `Endpoints can be verified at most ${webhookLimits.webhookChallengesPerOperatorPerHour} times an hour.`,
  },
  page_check_integration: {
    limit: accountLimits.pageChecksPerIntegrationPerHour,
    window: hour,
    words: `The pages of an integration can be checked at most ${accountLimits.pageChecksPerIntegrationPerHour} times an hour.`,
  },
  draft_check_integration: {
    limit: accountLimits.draftChecksPerIntegrationPerHour,
    window: hour,
    words: `The pages of an integration’s draft can be checked at most ${accountLimits.draftChecksPerIntegrationPerHour} times an hour.`,
  },
  draft_check_operator: {
    limit: accountLimits.pageChecksPerOperatorPerHour,
    window: hour,
    words: `Pages of drafts can be checked at most ${accountLimits.pageChecksPerOperatorPerHour} times an hour.`,
  },
  page_check_operator: {
    limit: accountLimits.pageChecksPerOperatorPerHour,
    window: hour,
    words: `Pages can be checked at most ${accountLimits.pageChecksPerOperatorPerHour} times an hour.`,
  },
} as const satisfies Readonly<Record<string, { readonly limit: number; readonly window: number; readonly words: string }>>;

/** Something that one source may try a limited number of times. */
export type Attempt = { readonly kind: keyof typeof attemptRules; readonly source: string };

/**
 * The attempts that a link to a mailbox uses, in the order in which they are locked. What dots and tags before the @ mean is up to the mail
 * server, so they make it another mailbox. The mailbox is counted by a hash, so that the table of attempts names nobody.
 */
export function mailboxAttempts(emailKey: string, network: string): Attempt[] {
  return [
    { kind: 'registration_mailbox_ip', source: hashOf(`${emailKey} ${network}`) },
    { kind: 'registration_mailbox', source: hashOf(emailKey) },
    { kind: 'registration_ip', source: network },
  ];
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Counts one attempt in its window, which begins with the first. Parallel attempts wait for each other at the row, so none gets past the
 * limit. A refused attempt is not counted. `times` counts several at once, all or none, and is at most the limit. Errors: rate_limit_exceeded with the seconds until the window ends.
 */
export async function takeAttempt(em: EntityManager, attempt: Attempt, now: Date, times = 1): Promise<void> {
  if (!(await isTaken(em, attempt, now, times))) throw await tooMany(em, attempt, now);
}

/** Counts one attempt like `takeAttempt`, but only tells whether the window still had a place for it. */
export function takeFirst(em: EntityManager, attempt: Attempt, now: Date): Promise<boolean> {
  return isTaken(em, attempt, now, 1);
}

/** Whether the window has no place left, without counting anything. */
export async function isUsedUp(em: EntityManager, { kind, source }: Attempt, now: Date): Promise<boolean> {
  const { limit, window } = attemptRules[kind];
  const asked = 'select 1 from attempt_window where kind = $1 and source = $2 and window_start > $3 and count >= $4';
  return (await sql(em, asked, [kind, source, new Date(now.getTime() - window), limit])).length > 0;
}

async function isTaken(em: EntityManager, { kind, source }: Attempt, now: Date, times: number): Promise<boolean> {
  const { limit, window } = attemptRules[kind];
  noteLock(em, 'attempt');
  const taken = await sql(
    em,
    `insert into attempt_window as w (kind, source, window_start, count) values ($1, $2, $3, $6)
     on conflict (kind, source) do update
        set window_start = case when w.window_start <= $4 then excluded.window_start else w.window_start end,
            count = case when w.window_start <= $4 then excluded.count else w.count + excluded.count end
      where w.window_start <= $4 or w.count + excluded.count <= $5
     returning count`,
    [kind, source, now, new Date(now.getTime() - window), limit, times],
  );
  return taken.length > 0;
}

/**
 * Does the work as an attempt of every given kind. Only failures stay counted, so that a network whose people sign in all day is never
 * locked out. Attempts are counted before the work, so that parallel ones cannot all start below the limit.
 */
export async function withinAttempts<Result>(
  em: EntityManager,
  attempts: readonly Attempt[],
  now: Date,
  work: () => Promise<Result>,
): Promise<Result> {
  for (const attempt of attempts) await takeAttempt(em, attempt, now);
  const result = await work();
  await giveBack(em, attempts, now);
  return result;
}

/**
 * Counts an attempt that has failed, and returns what its caller reads: the refusal, or rate_limit_exceeded once this source has failed too
 * often. For what is too long to be guessed, such as signatures and codes of 80 bits: there a limit only slows down callers who fail, and
 * must not refuse one on the same network who succeeds.
 */
export async function failedAttempt(em: EntityManager, attempt: Attempt, refusal: DomainError, now: Date): Promise<DomainError> {
  if (await isTaken(em, attempt, now, 1)) return refusal;
  const retryAfterSeconds = await secondsLeft(em, attempt, now);
  return new DomainError('rate_limit_exceeded', { detail: attemptRules[attempt.kind].words, retryAfterSeconds });
}

/** Takes back attempts that were counted at that moment. A window that has begun since did not count them. */
export async function giveBack(em: EntityManager, attempts: readonly Attempt[], takenAt: Date): Promise<void> {
  noteLock(em, 'attempt');
  for (const { kind, source } of attempts) {
    await sql(em, 'update attempt_window set count = greatest(count - 1, 0) where kind = $1 and source = $2 and window_start <= $3', [
      kind,
      source,
      takenAt,
    ]);
  }
}

async function tooMany(em: EntityManager, attempt: Attempt, now: Date): Promise<DomainError> {
  const retryAfterSeconds = await secondsLeft(em, attempt, now);
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return new DomainError('rate_limit_exceeded', {
    detail: `${attemptRules[attempt.kind].words} Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    retryAfterSeconds,
  });
}

/** The seconds until the window ends, at least one. */
async function secondsLeft(em: EntityManager, { kind, source }: Attempt, now: Date): Promise<number> {
  const [row] = await sql<{ started: Date }>(em, 'select window_start as started from attempt_window where kind = $1 and source = $2', [
    kind,
    source,
  ]);
  const left = (row?.started ?? now).getTime() + attemptRules[kind].window - now.getTime();
  return Math.max(1, Math.ceil(left / 1000));
}
