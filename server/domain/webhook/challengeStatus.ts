import { type Known, namesOf, statusLifecycle } from '../shared/lifecycle.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';
import { challengeFacts } from './challengeFacts.ts';
import { webhookLimits } from '../outbox/webhookLimits.ts';

export type ChallengeStatus = Known<keyof typeof challengeFacts>;
export const challengeStatuses = namesOf(challengeFacts);

/** Every change of an ownership challenge's status (docs/specification.md, “Ownership challenge”). */
const challengeTransitions = {
  verifyWebhookEndpoint: { from: [], to: 'pending', by: ['owner'], sets: ['requestedAt'] },
  passChallenge: { from: ['pending'], to: 'succeeded', by: ['service'], sets: ['finishedAt'] },
  failChallenge: { from: ['pending'], to: 'failed', by: ['service'], sets: ['finishedAt', 'failure'] },
} as const satisfies TransitionTable<ChallengeStatus>;

export const challengeLifecycle = statusLifecycle('webhook_challenge', challengeFacts, challengeTransitions);

/** SQL: whether the challenge `row` still runs. */
export function challengeRuns(row?: string): string {
  return challengeLifecycle.where(({ isRunning }) => isRunning, { row });
}

/** When a challenge ends, whether or not a worker has come to it. While it waits for others, none of its own time passes. */
export function challengeEnd({ requestedAt, begunAt }: { readonly requestedAt: Date; readonly begunAt: Date | null }): Date {
  if (begunAt === null) return new Date(requestedAt.getTime() + webhookLimits.webhookChallengeWait);
  return new Date(begunAt.getTime() + webhookLimits.webhookChallengeLifetime);
}
