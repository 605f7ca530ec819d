import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../../shared/actor.ts';
import { hasIdForm } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { reviewLimits } from '../reviewLimits.ts';
import { timeAndIdCursors } from '../../shared/lists/cursors.ts';
import { inOrder, page, type Page, type PageRequest } from '../../shared/lists/page.ts';
import { integrationsNamedTo, partOf, refuseBadSearch } from '../../shared/lists/search.ts';
import { sql } from '../../shared/sql.ts';
import { foldText } from '../../shared/text/writtenText.ts';
import { ReviewSubmission } from '../ReviewSubmission.ts';
import { decidedStatuses, isOpen, openStatuses, submissionLifecycle, type SubmissionStatus } from '../submissionStatus.ts';

const open = submissionLifecycle.isIn(openStatuses);

/**
 * Where a submission stands in the queue, as conditions with `$1` for the reviewer. Each is in exactly one of these, and each condition has an index
 * that serves its order: review_submission_reviewer_turn, _untaken_turn, _turn, _turn and _ended.
 */
const tabConditions = {
  mine: `${open} and waiting_for = 'reviewer' and reviewer_id = $1`,
  unassigned: `${open} and waiting_for = 'reviewer' and reviewer_id is null`,
  colleagues: `${open} and waiting_for = 'reviewer' and reviewer_id <> $1`,
  waitingForOwner: `${open} and waiting_for = 'operator'`,
  decided: submissionLifecycle.where((facts) => !facts.isOpen),
} as const;
export type QueueTab = keyof typeof tabConditions;
export const queueTabs = Object.keys(tabConditions) as readonly QueueTab[];

type ReviewQueue = {
  readonly actor: OperatorActor;
  readonly tab: QueueTab;
  /** How a decided submission ended. If null, in any way. */
  readonly ended?: SubmissionStatus | null;
  /**
   * What names the integration (see `integrationsNamedTo`), the submission’s own identifier, or part of the name with which it was
   * submitted.
   */
  readonly search?: string | null;
} & PageRequest;

/**
 * A page of the submissions that a reviewer may review, which excludes those of their own integrations: what waits longest comes first, and
 * what was decided last. Errors: invalid_request (`first`, `after`, `search`, `ended` of open ones).
 */
export function reviewQueue(
  em: EntityManager,
  { actor, tab, ended = null, search, ...request }: ReviewQueue,
): Promise<Page<ReviewSubmission>> {
  const pointless = ended !== null && (tab !== 'decided' || isOpen({ status: ended }));
  return page(request, {
    cursors,
    errors: pointless ? [{ path: 'ended', message: 'This filter applies to decided submissions only.' }] : [],
    read: async (count, after) => {
      refuseBadSearch(search ?? '', 'search');
      const values = [actor.operatorId, count, ...(after ?? [])];
      const named = search?.trim() ? await whatIsNamed(em, actor, foldText(search.trim())) : null;
      const text = queueSql(tab, { ended, named: named?.column ?? null }, after !== null);
      const rows = await sql<{ id: string }>(em, text, [...values, ...(named ? [named.ids] : [])]);
      const ids = rows.map(({ id }) => id);
      return inOrder(ids, await em.find(ReviewSubmission, { id: { $in: ids } }));
    },
  });
}

/** A submission's place in the queue, which it may have left since. */
const cursors = timeAndIdCursors<ReviewSubmission>('sub', ({ waitingSince }) => waitingSince);

type Named = { readonly column: 'id' | 'integration_id'; readonly ids: readonly string[] };

/** By the primary key, or by the submissions of an integration. */
async function whatIsNamed(em: EntityManager, actor: OperatorActor, text: string): Promise<Named> {
  if (hasIdForm('sub', text)) return { column: 'id', ids: [text] };
  const submitted = await sql<{ id: string }>(em, submittedAsSql, [partOf(text), limits.searchMatches]);
  const ids = [...(await integrationsNamedTo(em, actor, text)), ...submitted.map(({ id }) => id)];
  return { column: 'integration_id', ids };
}

/** An integration may have been renamed since. Index profile_version_name_words, and the submissions of an integration. */
const submittedAsSql = `
select v.integration_id as id from profile_version v
 where folded(v.public_name) like $1
   and exists (select from review_submission s where s.integration_id = v.integration_id and s.profile_version = v.version) limit $2`;

/** `$1` the reviewer, `$2` rows wanted, `$3` and `$4` the last item's place, then what is named. By the tab's index, or by review_submission_status for one way to end. */
function queueSql(
  tab: QueueTab,
  { ended, named }: { ended: SubmissionStatus | null; named: Named['column'] | null },
  resumed: boolean,
): string {
  const condition = ended === null ? tabConditions[tab] : submissionLifecycle.isIn([ended]);
  const direction = tab === 'decided' ? 'desc' : 'asc';
  const place = resumed ? `and (waiting_since, id) ${tab === 'decided' ? '<' : '>'} ($3::timestamptz, $4::text)` : '';
  const among = named === null ? '' : `and ${named} = any ($${resumed ? 5 : 3}::text[])`;
  return `select id from review_submission where operator_id <> $1 and ${condition} ${among} ${place}
 order by waiting_since ${direction}, id ${direction} limit $2`;
}

/**
 * What to review next: what this reviewer has waiting for them, and otherwise what nobody has taken, in each case what has waited longest.
 * Null if there is neither.
 */
export async function nextSubmission(em: EntityManager, actor: OperatorActor, after: string | null): Promise<ReviewSubmission | null> {
  const first = (tab: QueueTab, place: number) =>
    `(select id, ${place} as place from review_submission where operator_id <> $1 and id <> $2 and ${tabConditions[tab]} order by waiting_since, id limit 1)`;
  const [row] = await sql<{ id: string; place: number }>(
    em,
    `${first('mine', 1)} union all ${first('unassigned', 2)} order by place limit 1`,
    [actor.operatorId, after ?? ''],
  );
  return row ? em.findOne(ReviewSubmission, { id: row.id }) : null;
}

/** The tab that a reviewer begins with: their own submissions if any wait for them, otherwise those that nobody has taken. */
export async function usualTab(em: EntityManager, actor: OperatorActor): Promise<QueueTab> {
  const own = await sql(em, `select 1 from review_submission where operator_id <> $1 and ${tabConditions.mine} limit 1`, [
    actor.operatorId,
  ]);
  return own.length > 0 ? 'mine' : 'unassigned';
}

export type ReviewCounts = Readonly<Record<QueueTab | 'reports' | 'revisions', number>> & { readonly lastDecidedAt: Date | null };

const bounded = (from: string) => `(select count(*) from (select from ${from} limit ${reviewLimits.reviewsCounted + 1}) counted)::int`;

/** Each by the index of its list. */
const countsSql = `select ${queueTabs
  .map((tab) => `${bounded(`review_submission where operator_id <> $1 and ${tabConditions[tab]}`)} as "${tab}"`)
  .join(',\n ')},
 ${bounded('business_model_report where operator_id <> $1')} as reports,
 ${bounded('profile_version v join integration i on i.id = v.integration_id where v.minor_revision and i.operator_id <> $1')} as revisions,
 (select decided_at from review_submission where decided_at is not null and ${submissionLifecycle.isIn(decidedStatuses)}
   order by decided_at desc limit 1) as "lastDecidedAt"`;

/** How much there is in each list for reviewers, own integrations left out, and when a reviewer last decided. Nothing is counted beyond the limit. */
export async function reviewCounts(em: EntityManager, actor: OperatorActor): Promise<ReviewCounts> {
  const [row] = await sql<ReviewCounts>(em, countsSql, [actor.operatorId]);
  if (!row) throw new Error('A statement that only counts answered nothing.');
  return row;
}
