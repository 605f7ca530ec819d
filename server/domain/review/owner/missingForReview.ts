import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import { counted } from '../../shared/text/numberWords.ts';
import { reviewItems } from '../reviewChecklist.ts';

type Row = { readonly id: string; readonly logo: boolean; readonly address: boolean; readonly confirmed: number };

/** By the primary keys, and the unique index (integration_id, round). What was confirmed belongs to its version of the profile. */
const missingSql = `
select i.id, v.logo_id is not null as logo, coalesce(d.review_url, '') <> '' as address,
       (select count(*)::int from jsonb_array_elements(d.confirmations) c
         where d.profile_version = i.profile_version and (c ->> 'confirmed')::boolean and c ->> 'item' = any ($2::text[])) as confirmed
  from integration i join profile_version v on v.integration_id = i.id and v.version = i.profile_version
  left join submission_draft d on d.integration_id = i.id
 where i.id = any ($1::text[]) and i.status = 'sandbox' and not exists (select from review_submission s where s.integration_id = i.id)`;

/**
 * What is known to be missing of the first submission of each of these integrations, as in “logo, review address, 9 confirmations”; null where
 * nothing is, or where it is not the first.
 */
export async function missingForReview(em: EntityManager, ids: readonly string[]): Promise<(string | null)[]> {
  const rows = new Map((await sql<Row>(em, missingSql, [ids, reviewItems])).map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = rows.get(id);
    return row ? missingWords(row) || null : null;
  });
}

function missingWords({ logo, address, confirmed }: Row): string {
  const open = reviewItems.length - confirmed;
  return [!logo && 'logo', !address && 'review address', open > 0 && counted(open, 'confirmation')].filter(Boolean).join(', ');
}
