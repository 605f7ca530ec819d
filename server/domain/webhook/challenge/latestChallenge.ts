import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import type { WebhookEndpoint } from '../endpoint/WebhookEndpoint.ts';
import { challengeEnd, type ChallengeStatus } from '../challengeStatus.ts';
import type { ChallengeFailure, ChallengeStep } from './challengeSteps.ts';
import { challengeFacts } from '../challengeFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';

/** An ownership challenge as it is on record. */
export type WebhookChallenge = {
  readonly id: string;
  readonly status: ChallengeStatus;
  readonly requestedAt: Date;
  /** When a worker first came to it. */
  readonly begunAt: Date | null;
  readonly finishedAt: Date | null;
  readonly failure: ChallengeFailure | null;
  readonly steps: readonly ChallengeStep[];
};

/** Index webhook_challenge_latest, once for each endpoint. */
const latestSql = `
select e.number, c.* from unnest($1::int[], $2::text[]) e(number, url) cross join lateral (
  select id, status, failure, steps, requested_at as "requestedAt", begun_at as "begunAt", finished_at as "finishedAt"
    from webhook_challenge where endpoint_number = e.number and url = e.url order by requested_at desc, id desc limit 1) c`;

type Asked = { readonly number: number; readonly url: string };

/** For each endpoint the last challenge of its present URL, or null. */
export async function latestChallenges(em: EntityManager, endpoints: readonly Asked[]): Promise<(WebhookChallenge | null)[]> {
  const asked = [endpoints.map(({ number }) => number), endpoints.map(({ url }) => url)];
  const rows = await sql<WebhookChallenge & { readonly number: number }>(em, latestSql, asked);
  return endpoints.map((endpoint) => {
    const row = rows.find(({ number }) => number === endpoint.number);
    if (!row) return null;
    const { number: _, ...challenge } = row;
    return challenge;
  });
}

export async function latestChallenge(em: EntityManager, endpoint: Asked): Promise<WebhookChallenge | null> {
  const [challenge = null] = await latestChallenges(em, [endpoint]);
  return challenge;
}

/** What of an endpoint says whether it was read before its challenge had succeeded, and whether it has been moved since. */
type ReadBefore = Pick<WebhookEndpoint, 'status' | 'provenAt' | 'statusChangedAt'>;

/**
 * As it is shown beside its endpoint, which was read a moment before it: a challenge that has succeeded since then is still pending, so that both
 * tell of one moment, and pages go on asking. One that had succeeded before the endpoint was moved away, and back to this URL, proves nothing any more
 * and is not shown. One that no worker has finished in its time has failed, whatever has become of the worker.
 */
export function shownChallenge(challenge: WebhookChallenge, endpoint: ReadBefore, now: Date): WebhookChallenge | null {
  const { status, requestedAt } = challenge;
  if (endpoint.status === 'registered' && status === 'succeeded' && requestedAt < endpoint.statusChangedAt) return null;
  if (succeededSince(challenge, endpoint)) return { ...challenge, status: 'pending', finishedAt: null };
  const end = challengeEnd(challenge);
  if (!factsIn(challengeFacts, challenge.status).isRunning || now < end) return challenge;
  return { ...challenge, status: 'failed', finishedAt: end, failure: 'time_over' };
}

function succeededSince({ status, finishedAt }: WebhookChallenge, { provenAt, statusChangedAt }: ReadBefore): boolean {
  if (!factsIn(challengeFacts, status).proves || finishedAt === null) return false;
  // An endpoint whose URL was changed, and changed back, has to be proven again, whatever succeeded before.
  return finishedAt > statusChangedAt && (!provenAt || provenAt < finishedAt);
}
