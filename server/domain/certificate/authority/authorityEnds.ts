import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import { isLatestIssuing } from '../authorityStatus.ts';

type AuthorityEnds = { readonly issuing: Date; readonly root: Date | undefined };

const endsSql = `
select a.not_after as issuing, r.not_after as root
  from certificate_authority a left join certificate_authority r on r.id = a.issuer_id
 where ${isLatestIssuing('a')} order by a.created_at desc limit 1`;

/** Undefined while there is no issuing authority. It reads no private key. */
export async function authorityEnds(em: EntityManager): Promise<AuthorityEnds | undefined> {
  const [row] = await sql<{ issuing: Date; root: Date | null }>(em, endsSql);
  return row && { issuing: row.issuing, root: row.root ?? undefined };
}
