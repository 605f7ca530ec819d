import type { EntityManager } from '@mikro-orm/postgresql';
import { Integration } from '../../integration/Integration.ts';
import { integrationTransitions } from '../../integration/integrationStatus.ts';
import { lockIntegration } from '../../integration/lockIntegration.ts';
import { keptUrl, publicUrlRefusal } from '../../integration/profile/publicUrl.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';
import { mayCheckDraft, requestPageCheck } from '../check/requestPageCheck.ts';
import { refuseOtherVersion } from '../draftVersion.ts';
import { brokenConfirmations, isReviewItem, type Confirmation, type ReviewItem } from '../reviewChecklist.ts';

/** What the owner has written of a submission so far. It may be incomplete and need not be valid. */
export type SubmissionDraft = {
  readonly reviewUrl: string;
  /** What was confirmed belongs to this version of the profile. */
  readonly profileVersion: number;
  readonly confirmations: readonly { readonly item: ReviewItem; readonly confirmed: boolean; readonly word: string | null }[];
  /** Another one with every save, and never one that was there before. */
  readonly version: number;
  readonly savedAt: Date;
};

type SaveSubmissionDraft = {
  readonly actor: OperatorActor;
  readonly integrationId: string;
  readonly reviewUrl: string;
  /** The version of the profile that the page showed beside the confirmations. If null, the current one. */
  readonly profileVersion: number | null;
  readonly confirmations: readonly Confirmation[];
  /** The version of the draft that the page has, 0 for none. If null, whatever is stored is replaced. */
  readonly version: number | null;
  readonly now: Date;
};

const saveSql = `
insert into submission_draft (integration_id, profile_version, review_url, confirmations, saved_at) values ($1, $2, $3, $4::jsonb, $5)
on conflict (integration_id) do update
   set profile_version = excluded.profile_version, review_url = excluded.review_url, confirmations = excluded.confirmations,
       version = default, saved_at = excluded.saved_at
returning version`;

/** By the primary keys. True if these pages, the review address among them, have been checked, or are about to be. */
const checkedSql = `
select 1 from integration i join page_check c on c.integration_id = i.id and c.profile_version = i.profile_version
 where i.id = $1 and c.review_url is not distinct from coalesce($2, c.review_url)`;

/**
 * Keeps what the owner has written of a submission, until it is submitted or forgotten. The pages that it names are checked as soon as they are
 * known, unless there were too many checks. Errors: invalid_request, not_found, conflict (status, another version is stored).
 */
export function saveSubmissionDraft(
  em: EntityManager,
  { actor: { operatorId }, integrationId, reviewUrl, confirmations, profileVersion: shown, version, now }: SaveSubmissionDraft,
): Promise<SubmissionDraft> {
  const address = reviewUrl.trim();
  refuseInvalid([
    ...(address.length > 2048 ? [{ path: 'input.reviewUrl', message: 'The address has more than 2,048 characters.' }] : []),
    ...brokenConfirmations(confirmations),
  ]);
  return em.transactional(async (tx) => {
    if (!(await tx.findOne(Integration, { id: integrationId, operatorId }))) {
      throw new DomainError('not_found', { detail: 'There is no such integration.' });
    }
    const known = knownAddress(address);
    const checked = (await sql(tx, checkedSql, [integrationId, known])).length > 0;
    const mayCheck = !checked && (await mayCheckDraft(tx, { integrationId, operatorId, now }));
    const integration = await lockIntegration(tx, integrationId, operatorId);
    const { profileVersion, status } = integration;
    const from: readonly string[] = integrationTransitions.submitForReview.from;
    if (!from.includes(status)) {
      throw new DomainError('conflict', { detail: `The integration is ${status}, so there is nothing to prepare for a submission.` });
    }
    const [stored] = await sql<{ version: number }>(tx, 'select version from submission_draft where integration_id = $1', [integrationId]);
    refuseOtherVersion(version, stored);
    const confirmedVersion = Math.min(shown ?? profileVersion, profileVersion);
    const kept = confirmations.flatMap(({ item, confirmed, word }) =>
      isReviewItem(item) ? [{ item, confirmed, word: word?.trim() || null }] : [],
    );
    const [saved] = await sql<{ version: number }>(tx, saveSql, [integrationId, confirmedVersion, address, JSON.stringify(kept), now]);
    if (mayCheck) await requestPageCheck(tx, { integrationId, profileVersion, reviewUrl: known, now });
    return { profileVersion: confirmedVersion, reviewUrl: address, confirmations: kept, version: saved?.version ?? 0, savedAt: now };
  });
}

/** The address as it would be submitted, or null while it is not one. */
export function knownAddress(reviewUrl: string): string | null {
  return publicUrlRefusal(reviewUrl) === null ? keptUrl(reviewUrl) : null;
}

type Row = SubmissionDraft & { readonly id: string };

/** By the primary key. */
const draftsSql = `
select integration_id as id, profile_version as "profileVersion", review_url as "reviewUrl", confirmations, version, saved_at as "savedAt"
  from submission_draft where integration_id = any ($1::text[])`;

/** What the owner of each integration has written; null where nothing is kept. */
export async function draftsOf(em: EntityManager, integrationIds: readonly string[]): Promise<(SubmissionDraft | null)[]> {
  const rows = await sql<Row>(em, draftsSql, [integrationIds]);
  return integrationIds.map((wanted) => {
    const row = rows.find(({ id }) => id === wanted);
    if (!row) return null;
    const { id: _, confirmations, ...draft } = row;
    // An item may have left the checklist since.
    return { ...draft, confirmations: confirmations.filter(({ item }) => isReviewItem(item)) };
  });
}

/** Forgets what was written, because it has been submitted, or because nothing will be any more. */
export async function removeDrafts(tx: EntityManager, integrationIds: readonly string[]): Promise<void> {
  await sql(tx, 'delete from submission_draft where integration_id = any ($1::text[])', [integrationIds]);
}
