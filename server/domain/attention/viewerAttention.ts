import type { EntityManager } from '@mikro-orm/postgresql';
import { openReset } from '../account/accountReset.ts';
import { termsToAccept } from '../integration/terms/acceptTerms.ts';
import { openStatuses, submissionLifecycle } from '../review/submissionStatus.ts';
import { reviewTimes } from '../review/reviewTimes.ts';
import type { Role } from '../shared/actor.ts';
import { reviewLimits } from '../review/reviewLimits.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { allNeeds, inOrder } from './attentionOf.ts';
import { groupedNeeds } from './groupedNeeds.ts';
import type { AttentionItem } from '../notification/words/AttentionItem.ts';
import { attentionLevels, type AttentionLevel } from '../notification/words/attentionKinds.ts';
import type { IntegrationFacts } from './facts/IntegrationFacts.ts';
import { attentionWords } from '../notification/words/attentionWords.ts';
import { submissionWords } from '../notification/words/staffAttentionWords.ts';

type Viewer = { readonly operatorId: string; readonly roles: readonly Role[]; readonly now: Date };

/** Everything that needs this person now, as an owner (`own`, from ownersAttention) and by their roles, the most urgent first. */
export async function viewerAttention(
  em: EntityManager,
  { operatorId, roles, now }: Viewer,
  own: readonly AttentionItem[],
): Promise<AttentionItem[]> {
  return inOrder([...own, ...(roles.includes('reviewer') ? await reviewerAttention(em, operatorId, now) : [])], now);
}

/** All deletions that these ask for, and of how many integrations they are. */
export function deletionsInAll(items: readonly AttentionItem[]): Record<'count' | 'overdue' | 'integrations', number> {
  const asked = items.flatMap(({ deletions }) => deletions ?? []);
  const sum = (of: 'count' | 'overdue') => asked.reduce((total, each) => total + each[of], 0);
  // Each asks for them once.
  return { count: sum('count'), overdue: sum('overdue'), integrations: asked.length };
}

/** How many things need a person, and how much the most pressing of them matters; null where nothing does. */
export type AttentionSum = { readonly count: number; readonly level: AttentionLevel | null };

/** How much needs this person now. It also counts the submissions that are too many to list, and reads none of their words. */
export async function attentionSum(
  em: EntityManager,
  { operatorId, roles }: Omit<Viewer, 'now'>,
  own: readonly AttentionItem[],
): Promise<AttentionSum> {
  const waiting = roles.includes('reviewer') ? await waitingSubmissions(em, operatorId) : 0;
  const levels = new Set<AttentionLevel>(own.map(({ level }) => level));
  if (waiting > 0) levels.add('attention');
  return { count: own.length + waiting, level: attentionLevels.find((level) => levels.has(level)) ?? null };
}

/** What needs this person as the owner of an account and of these integrations, in no order; what many integrations need is one. */
export async function ownersAttention(
  em: EntityManager,
  { operatorId, now }: Omit<Viewer, 'roles'>,
  integrations: Promise<readonly IntegrationFacts[]>,
): Promise<AttentionItem[]> {
  const [facts, terms, reset] = await Promise.all([integrations, termsAttention(em, operatorId), resetAttention(em, operatorId, now)]);
  return [...groupedNeeds(facts.flatMap(allNeeds)), ...terms, ...reset];
}

async function resetAttention(em: EntityManager, operatorId: string, now: Date): Promise<AttentionItem[]> {
  const reset = await openReset(em, operatorId, now);
  if (!reset) return [];
  const { id, requestedAt: since, dueAt: deadline } = reset;
  const words = attentionWords.accountReset({ approved: deadline !== null });
  return [{ id: `accountReset:${id}`, kind: 'accountReset', level: 'attention', ...words, since, deadline, integration: null }];
}

async function termsAttention(em: EntityManager, operatorId: string): Promise<AttentionItem[]> {
  const version = await termsToAccept(em, operatorId);
  if (version === null) return [];
  const words = attentionWords.terms({ version });
  return [{ id: `terms:${version}`, kind: 'terms', level: 'attention', ...words, since: null, deadline: null, integration: null }];
}

/** Nobody reviews their own. */
const isWaiting = `${submissionLifecycle.isIn(openStatuses, { row: 's' })} and s.waiting_for = 'reviewer' and s.operator_id <> $1
   and (s.reviewer_id is null or s.reviewer_id = $1)`;

/** By review_submission_turn. */
const waitingCountSql = `select count(*)::int as count from (select from review_submission s where ${isWaiting} limit $2) found`;

async function waitingSubmissions(em: EntityManager, operatorId: string): Promise<number> {
  const [row] = await sql<{ count: number }>(em, waitingCountSql, [operatorId, reviewLimits.reviewsCounted]);
  return row?.count ?? 0;
}

/** By review_submission_turn, in its order. */
const waitingSql = `
select s.id, s.round as number, s.reviewer_id is not null as mine, s.waiting_since as since, i.slug, v.public_name as "publicName"
  from review_submission s join integration i on i.id = s.integration_id
  join profile_version v on v.integration_id = i.id and v.version = s.profile_version
 where ${isWaiting}
 order by s.waiting_since, s.id limit $2`;

type Waiting = { id: string; number: number; mine: boolean; since: Date; slug: string; publicName: string };

/** The submissions that a reviewer has taken or can take, those that have waited longest first, as far as somebody would read the list. */
async function reviewerAttention(em: EntityManager, operatorId: string, now: Date): Promise<AttentionItem[]> {
  const rows = await sql<Waiting>(em, waitingSql, [operatorId, limits.waitingSubmissionsListed]);
  if (rows.length === 0) return [];
  const { medianSeconds } = await reviewTimes(em, now);
  const median = medianSeconds === null ? null : medianSeconds * 1000;
  return rows.map(({ id, number, mine, since, slug, publicName }) => ({
    id: `submission:${id}`,
    kind: 'submission',
    level: 'attention',
    ...submissionWords({ submissionId: id, number, mine, waited: now.getTime() - since.getTime(), median }),
    since,
    deadline: null,
    integration: { slug, publicName },
  }));
}
