import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import { challengeEnd, type ChallengeStatus } from './challengeStatus.ts';
import type { ChallengeFailure, ChallengeStep } from './challengeSteps.ts';

/** An ownership challenge as it is on record. */
export type WebhookChallenge = {
  readonly id: string;
  readonly status: ChallengeStatus;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  readonly failure: ChallengeFailure | null;
  readonly steps: readonly ChallengeStep[];
};

type Row = Omit<WebhookChallenge, 'requestedAt' | 'finishedAt'> & { readonly requestedAt: number; readonly finishedAt: number | null };

/** Index webhook_challenge_latest. */
const latestSql = `
select id, status, failure, steps, (extract(epoch from requested_at) * 1000)::float8 as "requestedAt",
       (extract(epoch from finished_at) * 1000)::float8 as "finishedAt"
  from webhook_challenge where endpoint_no = $1 and url = $2 order by requested_at desc, id desc limit 1`;

/** The last challenge of an endpoint's present URL. */
export async function latestChallenge(
  em: EntityManager,
  { no, url }: { readonly no: number; readonly url: string },
): Promise<WebhookChallenge | null> {
  const [row] = await sql<Row>(em, latestSql, [no, url]);
  if (!row) return null;
  const finishedAt = row.finishedAt === null ? null : new Date(row.finishedAt);
  return { ...row, requestedAt: new Date(row.requestedAt), finishedAt };
}

/** As it is shown: a challenge that no worker has finished in its time has failed, whatever has become of the worker. */
export function shownChallenge(challenge: WebhookChallenge, now: Date): WebhookChallenge {
  const end = challengeEnd(challenge.requestedAt);
  if (challenge.status !== 'pending' || now < end) return challenge;
  return { ...challenge, status: 'failed', finishedAt: end, failure: 'time_over' };
}
