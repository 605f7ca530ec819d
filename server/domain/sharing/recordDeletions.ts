import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { Environment } from '../client/Client.ts';
import { lockIntegration } from '../integration/lockIntegration.ts';
import { ownIntegration } from '../integration/ownIntegrations.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { markDeleted, type MarkedRevocation } from './markDeleted.ts';

/** Which outstanding deletions of an integration: those that every field given names. */
export type DeletionFilter = {
  readonly environment?: Environment | null;
  /** Only those past their deadline. */
  readonly overdue?: boolean | null;
  readonly connectionId?: string | null;
};

/** What a filter finds at one moment, for the owner to look at before it is recorded. */
export type RecordableDeletions = {
  readonly count: number;
  readonly overdueCount: number;
  /** The moment that was asked about: what is revoked later is no part of it. */
  readonly until: Date;
};

type Chosen = { readonly operatorId: string; readonly slug: string; readonly filter: DeletionFilter };

/** `$1` the integration, `$2` the moment, `$3` environment, `$4` overdue only, `$5` connection. By `revocation_outstanding`. */
const chosenSql = `
  from client k join revocation r on r.client_no = k.no
 where k.integration_id = $1 and r.acknowledged_at is null and r.revoked_at <= $2 and ($3::text is null or k.environment = $3)
   and (not $4::boolean or (not r.fixture and r.deletion_deadline_at <= $2)) and ($5::text is null or r.connection_id = $5)`;

const countSql = `select count(*)::int as count, count(*) filter (where (not r.fixture and r.deletion_deadline_at <= $2))::int as "overdueCount" ${chosenSql}`;

/** In the order of their keys, as everybody who takes several. */
const lockSql = `
select r.client_no as "clientNo", r.id, (not r.fixture and r.deletion_deadline_at <= $2) as overdue ${chosenSql} order by r.client_no, r.id for no key update of r`;

/** How many deletions `recordDeletions` would record with this filter. Errors: invalid_request (filter), not_found. */
export async function deletionsToRecord(
  em: EntityManager,
  { operatorId, slug, filter, now }: Chosen & { readonly now: Date },
): Promise<RecordableDeletions> {
  const { id } = await ownIntegration(em, operatorId, slug);
  const [row] = await sql<Omit<RecordableDeletions, 'until'>>(em, countSql, parametersOf(id, filter, now));
  return { count: row?.count ?? 0, overdueCount: row?.overdueCount ?? 0, until: now };
}

type RecordDeletions = Omit<Chosen, 'operatorId'> & {
  readonly actor: OperatorActor;
  /** As the owner was shown them. */
  readonly until: Date;
  readonly expectedCount: number;
  readonly now: Date;
};

/**
 * The owner states in the portal that every copy is deleted, for all outstanding deletions that a filter finds (contract, “POST
 * /v1/revocations/{revocation_id}/ack”): exactly those that were counted. Errors: invalid_request (filter, `expectedCount`, `until`),
 * not_found, conflict (others than those by now: count again).
 */
export async function recordDeletions(
  em: EntityManager,
  { actor, slug, filter, until, expectedCount, now }: RecordDeletions,
): Promise<{ readonly recorded: number; readonly late: number }> {
  refuseInvalid([
    ...(expectedCount >= 1 && expectedCount <= limits.deletionsRecordedAtOnce
      ? []
      : [
          {
            path: 'input.expectedCount',
            message: `At most ${limits.deletionsRecordedAtOnce.toLocaleString('en')} deletions are recorded at once. Choose a narrower filter.`,
          },
        ]),
    ...(until <= now ? [] : [{ path: 'input.until', message: 'This moment has not come yet.' }]),
  ]);
  const { id } = await ownIntegration(em, actor.operatorId, slug);
  return em.transactional(async (tx) => {
    // What the deadlines do to the same revocations waits for this lock.
    const integration = await lockIntegration(tx, id, actor.operatorId);
    const rows = await sql<MarkedRevocation & { overdue: boolean }>(tx, lockSql, parametersOf(id, filter, until));
    if (rows.length !== expectedCount) {
      throw new DomainError('conflict', {
        detail: `The filter finds ${rows.length} outstanding deletions now, not ${expectedCount}. Nothing was recorded. Check the count again.`,
      });
    }
    const late = await markDeleted(tx, { actor, integrationId: integration.id, revocations: rows, now });
    await record(tx, actor, now, {
      action: 'integration.deletions_recorded',
      subject: { type: 'integration', id: integration.id },
      integrationId: integration.id,
      details: { recorded: rows.length, late },
    });
    return { recorded: rows.length, late };
  });
}

function parametersOf(integrationId: string, { environment, overdue, connectionId }: DeletionFilter, at: Date): unknown[] {
  const connection = connectionId?.trim() || null;
  if (connection !== null && !hasIdForm('con', connection)) {
    refuseInvalid([{ path: 'filter.connectionId', message: 'A connection’s id begins with con_ and has 30 characters.' }]);
  }
  return [integrationId, at, environment ?? null, overdue ?? false, connection];
}
