import { isOverSql } from '../integration/integrationStatus.ts';
import { limits } from '../shared/limits.ts';

/** Integrations that staff look through for a word, before the best of them are chosen. */
const candidates = 500;

const columns = `
select i.id, i.slug, i.status, v.public_name as "publicName", i.operator_id = $1 as own,
       (select s.id from review_submission s where s.integration_id = i.id order by s.round desc limit 1) as "submissionId"
  from integration i join profile_version v on v.integration_id = i.id and v.version = i.profile_version`;

/** Reviewers see integrations that were submitted; administrators (`$2`) see all, and everybody sees their own (`$1`). */
const visible = `(i.operator_id = $1 or $2::boolean or ($3::boolean and exists (select from review_submission s where s.integration_id = i.id)))`;

/** By identifiers from `$4` to `$5`, by the primary key. */
export const integrationsById = `${columns} where i.id between $4 and $5 and ${visible} limit ${limits.hitsOfOneKind}`;

/**
 * By part of slug or name (`$4`, a pattern): the one with this very slug (`$5`) first, then those that begin with it. Without a role, among the
 * reader’s own, by integration_operator; for staff by integration_slug_words and profile_version_name_words. Of a part that thousands have in
 * common only so many are looked at, so those that begin with it (`$6`, a pattern) are looked for by themselves.
 */
export function integrationsByWords(staff: boolean): string {
  const named = staff
    ? `i.id in ((select id from integration where slug = $5)
                union ${['$6', '$4'].map(candidatesLike).join(' union ')})`
    : `i.operator_id = $1 and (i.slug like $4 or folded(v.public_name) like $4)`;
  return `${columns} where ${named} and ${visible}
 order by i.slug = $5 desc, starts_with(i.slug, $5) or starts_with(folded(v.public_name), $5) desc, ${isOverSql('i')}, i.slug limit ${limits.hitsOfOneKind}`;
}

function candidatesLike(pattern: string): string {
  return `(select i.id from integration i where i.slug like ${pattern} and ${visible} limit ${candidates})
   union (select i.id from profile_version w join integration i on i.id = w.integration_id and i.profile_version = w.version
           where folded(w.public_name) like ${pattern} and ${visible} limit ${candidates})`;
}
