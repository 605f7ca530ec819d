import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import { ownIntegration } from '../../integration/ownIntegrations.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid, type FieldError } from '../../shared/DomainError.ts';
import type { Environment } from '../../shared/environment.ts';
import { hasIdForm } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { isLateSql, revocationLifecycle } from '../revocationStatus.ts';
import { writeRecordedDeletions, type RevocationKey } from './writeRecordedDeletions.ts';
import { numberWords } from '../../shared/text/numberWords.ts';

/** Selects outstanding deletions of an integration: those that match every given field. */
type DeletionFilter = {
  readonly environment?: Environment | null;
  /** Only deletions whose deadline has passed. */
  readonly overdue?: boolean | null;
  /** Only what is due: everything but the fixture of the test data. */
  readonly due?: boolean | null;
  readonly connectionId?: string | null;
  /** Only these, such as those whose rows were chosen. */
  readonly revocationIds?: readonly string[] | null;
};

/** What a filter finds at one moment. The owner sees it before it is recorded. */
type RecordableDeletions = {
  readonly count: number;
  readonly overdueCount: number;
  /** Stands for exactly these deletions. It differs with one more, one less or another one. */
  readonly selectionDigest: string;
  /** The moment of the count. Later revocations are not included. */
  readonly until: Date;
};

type Chosen = { readonly operatorId: string; readonly slug: string; readonly filter: DeletionFilter };

const isOverdue = isLateSql({ row: 'r', now: '$2' });

/**
 * `$1` is the integration, `$2` the moment, `$3` the environment, `$4` overdue only, `$5` the connection, `$6` due only, `$7` the
 * revocations. By `revocation_outstanding`.
 */
const chosenSql = `
  from client k join revocation r on r.client_number = k.number
 where k.integration_id = $1 and ${revocationLifecycle.mayStart('recordDeletion', { row: 'r' })} and r.revoked_at <= $2 and ($3::text is null or k.environment = $3)
   and (not $4::boolean or (${isOverdue})) and ($5::text is null or r.connection_id = $5)
   and (not $6::boolean or not r.fixture) and ($7::text[] is null or r.id = any ($7))`;

/** The digest of a set of identifiers, in any order. */
const digestOf = (id: string) => `encode(sha256(coalesce(string_agg(${id}, ' ' order by ${id} collate "C"), '')::bytea), 'hex')`;

const countSql = `
select count(*)::int as count, count(*) filter (where ${isOverdue})::int as "overdueCount", ${digestOf('r.id')} as digest ${chosenSql}`;

const lockSql = locking(
  'revocation',
  'no key update of r',
  (clause) => `select r.client_number as "clientNumber", r.id ${chosenSql} order by r.client_number, r.id ${clause}`,
);

/**
 * `$1` is the integration, `$2` when they were counted, `$3` their number, `$4` their digest. What was recorded at once has one moment.
 * By `revocation_acknowledged`; only a call that finds others than were counted asks.
 */
const recordedBeforeSql = `
select count(*)::int as recorded, count(*) filter (where r.acknowledged_late)::int as late
  from client k join revocation r on r.client_number = k.number
 where k.integration_id = $1 and r.recorded_by_hand and r.acknowledged_at >= $2
 group by r.acknowledged_at having count(*) = $3 and ${digestOf('r.id')} = $4 limit 1`;

/** How many deletions `recordDeletions` would record with this filter. Errors: invalid_request (filter), not_found. */
export async function deletionsToRecord(
  em: EntityManager,
  { operatorId, slug, filter, now }: Chosen & { readonly now: Date },
): Promise<RecordableDeletions> {
  const { id } = await ownIntegration(em, operatorId, slug);
  const [row] = await sql<{ count: number; overdueCount: number; digest: string }>(em, countSql, parametersOf(id, filter, now, 'filter'));
  return { count: row?.count ?? 0, overdueCount: row?.overdueCount ?? 0, selectionDigest: row?.digest ?? '', until: now };
}

type RecordDeletions = Omit<Chosen, 'operatorId'> & {
  readonly actor: OperatorActor;
  /** As they were shown to the owner. */
  readonly until: Date;
  readonly expectedCount: number;
  readonly selectionDigest: string;
  readonly now: Date;
};

type RecordedDeletions = { readonly recorded: number; readonly late: number };

/**
 * The owner states in the portal that every copy is deleted, for all outstanding deletions that a filter finds (docs/specification.md,
 * “Recorded deletions”). It records exactly those that were counted. A call that is repeated, because its answer was lost, gets the same answer, and nothing
 * is recorded twice. Errors: invalid_request (filter, `expectedCount`, `selectionDigest`,
 * `until`), not_found, conflict (the deletions have changed since: count again).
 */
export async function recordDeletions(
  em: EntityManager,
  { actor, slug, filter, until, expectedCount, selectionDigest, now }: RecordDeletions,
): Promise<RecordedDeletions> {
  refuseInvalid([
    ...countErrors(expectedCount),
    ...(/^[0-9a-f]{64}$/.test(selectionDigest)
      ? []
      : [{ path: 'input.selectionDigest', message: 'Send the selectionDigest that deletionsToRecord returned with the count.' }]),
    ...(until <= now ? [] : [{ path: 'input.until', message: 'This time is in the future.' }]),
  ]);
  const { id } = await ownIntegration(em, actor.operatorId, slug);
  return em.transactional(async (tx) => {
    // The job that enforces deadlines waits for this lock if it handles the same revocations.
    const integration = await lockIntegration(tx, id, actor.operatorId);
    const rows = await takeLock<RevocationKey>(tx, lockSql, parametersOf(id, filter, until, 'input.filter'));
    const change = await changeSince(tx, rows, { expectedCount, selectionDigest });
    if (change !== null) {
      const [before] = await sql<RecordedDeletions>(tx, recordedBeforeSql, [id, until, expectedCount, selectionDigest]);
      if (before) return before;
      throw new DomainError('conflict', { detail: `${change}. Nothing was recorded. Check the list and the count again.` });
    }
    const late = await writeRecordedDeletions(tx, { actor, integrationId: integration.id, revocations: rows, now });
    await record(tx, actor, now, {
      action: 'integration.deletions_recorded',
      subject: { type: 'integration', id: integration.id },
      integrationId: integration.id,
      details: { recorded: rows.length, late },
    });
    return { recorded: rows.length, late };
  });
}

function countErrors(expectedCount: number): FieldError[] {
  const most = limits.deletionsRecordedAtOnce;
  const path = 'input.expectedCount';
  if (expectedCount < 1)
    return [{ path, message: 'Send a count of at least 1. Where the filter finds nothing, there is nothing to record.' }];
  if (expectedCount <= most) return [];
  return [{ path, message: `At most ${numberWords(most)} deletions can be recorded at once. Choose a narrower filter.` }];
}

/** In what the locked deletions differ from those that were shown to the owner, whether there are more, fewer or as many; null if in nothing. */
async function changeSince(
  tx: EntityManager,
  locked: readonly RevocationKey[],
  { expectedCount, selectionDigest }: Pick<RecordDeletions, 'expectedCount' | 'selectionDigest'>,
): Promise<string | null> {
  const [found] = await sql<{ digest: string }>(tx, `select ${digestOf('id')} as digest from unnest($1::text[]) id`, [
    locked.map(({ id }) => id),
  ]);
  if (locked.length === expectedCount && found?.digest === selectionDigest) return null;
  return locked.length === expectedCount
    ? `The filter still finds ${expectedCount} outstanding deletions, but not the same ones`
    : `The filter now finds ${locked.length} outstanding deletions, not ${expectedCount}`;
}

function parametersOf(
  integrationId: string,
  { environment, overdue, due, connectionId, revocationIds }: DeletionFilter,
  at: Date,
  path: 'filter' | 'input.filter',
): unknown[] {
  const connection = connectionId?.trim() || null;
  refuseInvalid([
    ...(connection !== null && !hasIdForm('con', connection)
      ? [{ path: `${path}.connectionId`, message: 'A connection ID begins with con_ and has 30 characters.' }]
      : []),
    ...idErrors(revocationIds ?? [], `${path}.revocationIds`),
  ]);
  return [integrationId, at, environment ?? null, overdue ?? false, connection, due ?? false, revocationIds ?? null];
}

function idErrors(ids: readonly string[], path: string): FieldError[] {
  // They are chosen on a page of the list.
  if (ids.length > limits.pageSize) return [{ path, message: `At most ${limits.pageSize} deletions can be chosen by their IDs.` }];
  return ids.every((id) => hasIdForm('rev', id)) ? [] : [{ path, message: 'A revocation ID begins with rev_ and has 30 characters.' }];
}
