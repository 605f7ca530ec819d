import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../../shared/actor.ts';
import { hasIdForm } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { timeAndIdCursors } from '../../shared/lists/cursors.ts';
import { inOrder, page, type Page, type PageRequest } from '../../shared/lists/page.ts';
import { integrationsNamedTo, partOf, refuseBadSearch } from '../../shared/lists/search.ts';
import { sql } from '../../shared/sql.ts';
import { ReviewSubmission, type ReviewRole } from '../ReviewSubmission.ts';
import { isOpen, type SubmissionStatus } from '../submissionStatus.ts';

/** Who has taken a submission: anybody or nobody, the viewer, or nobody. */
export const queueAssignees = ['anyone', 'mine', 'untaken'] as const;
/** By how long it has been that side's turn, or by when it was decided. */
export const queueOrders = ['longest', 'newest'] as const;

type ReviewQueue = {
  readonly actor: OperatorActor;
  readonly status: SubmissionStatus;
  /** Whose turn it is. If null, either side's. A decided submission is nobody's turn. */
  readonly waitingFor: ReviewRole | null;
  readonly assignee: (typeof queueAssignees)[number];
  readonly order: (typeof queueOrders)[number];
  /**
   * What names the integration (see `integrationsNamedTo`), the submission’s own identifier, or part of the name with which it was
   * submitted.
   */
  readonly search?: string | null;
} & PageRequest;

/**
 * A page of the submissions that a reviewer may review, which excludes those of their own integrations. Errors: invalid_request (`first`,
 * `after`, `search`, `waitingFor` of decided ones).
 */
export function reviewQueue(
  em: EntityManager,
  { actor, status, waitingFor, assignee, order, search, ...request }: ReviewQueue,
): Promise<Page<ReviewSubmission>> {
  const pointless = waitingFor !== null && !isOpen({ status });
  return page(request, {
    cursors,
    errors: pointless ? [{ path: 'waitingFor', message: 'This filter applies to submitted integrations only.' }] : [],
    read: async (count, after) => {
      refuseBadSearch(search ?? '', 'search');
      const values = [status, actor.operatorId, count, ...(after ?? [])];
      const named = search?.trim() ? await whatIsNamed(em, actor, search.trim().toLowerCase(), values.length + 1) : null;
      const text = queueSql({ waitingFor, assignee, order, named: named?.condition ?? '' }, after !== null);
      const rows = await sql<{ id: string }>(em, text, [...values, ...(named ? [named.ids] : [])]);
      const ids = rows.map(({ id }) => id);
      return inOrder(ids, await em.find(ReviewSubmission, { id: { $in: ids } }));
    },
  });
}

/** A submission's place in the queue, which it may have left since. */
const cursors = timeAndIdCursors<ReviewSubmission>('sub', ({ waitingSince }) => waitingSince);

/** By the primary key, or by the submissions of an integration. */
async function whatIsNamed(em: EntityManager, actor: OperatorActor, text: string, place: number) {
  if (hasIdForm('sub', text)) return { condition: `and id = any ($${place}::text[])`, ids: [text] };
  const submitted = await sql<{ id: string }>(em, submittedAsSql, [partOf(text), limits.searchMatches]);
  const ids = [...(await integrationsNamedTo(em, actor, text)), ...submitted.map(({ id }) => id)];
  return { condition: `and integration_id = any ($${place}::text[])`, ids };
}

/** An integration may have been renamed since. Index profile_version_name_words, and the submissions of an integration. */
const submittedAsSql = `
select v.integration_id as id from profile_version v
 where lower(v.public_name) like $1
   and exists (select from review_submission s where s.integration_id = v.integration_id and s.profile_version = v.version) limit $2`;

const conditions = {
  anyone: 'true',
  mine: 'reviewer_id = $2',
  untaken: 'reviewer_id is null',
} as const;
const turns = { reviewer: `and waiting_for = 'reviewer'`, operator: `and waiting_for = 'operator'` } as const;

/**
 * `$1` status, `$2` the reviewer, `$3` rows wanted, `$4` and `$5` the last item's place. In the order of review_submission_status, _reviewer or
 * _untaken, as the assignee asks; where a turn is asked for, of _turn, _reviewer_turn or _untaken_turn.
 */
function queueSql(
  { waitingFor, assignee, order, named }: Pick<ReviewQueue, 'waitingFor' | 'assignee' | 'order'> & { named: string },
  resumed: boolean,
): string {
  const turn = waitingFor === null ? '' : turns[waitingFor];
  const direction = order === 'longest' ? 'asc' : 'desc';
  const place = resumed ? `and (waiting_since, id) ${order === 'longest' ? '>' : '<'} ($4::timestamptz, $5::text)` : '';
  return `select id from review_submission where status = $1 and operator_id <> $2 and ${conditions[assignee]} ${turn} ${named} ${place}
 order by waiting_since ${direction}, id ${direction} limit $3`;
}
