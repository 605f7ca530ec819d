import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';
import { linkCodeLifecycle } from '../../sharing/linkCodeStatus.ts';

/** Indexes shared_resource_feed, link_code_client and link_code_resource_pkey. */
const heldSql = `
with live as materialized (
  select id from link_code
   where client_number = $1 and created_at > $2 and ${linkCodeLifecycle.where(({ refusedAs }) => refusedAs === null, { now: '$3' })})
select (select count(*)::int from shared_resource where client_number = $1) as shares, (select count(*)::int from live) as codes,
       (select count(*)::int from link_code_resource r join live on live.id = r.link_code_id) as promised`;

/**
 * Keeps a sandbox small enough for its corpus to be replaced in one transaction. The caller has counted its action, so that two codes
 * created at the same moment count each other. Errors: conflict.
 */
export async function refuseFull(tx: EntityManager, clientNumber: number, wanted: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - limits.linkCodeLifetime);
  const [held] = await sql<{ shares: number; codes: number; promised: number }>(tx, heldSql, [clientNumber, since, now]);
  if (!held) return;
  if (held.codes >= limits.sandboxLiveLinkCodes) {
    throw new DomainError('conflict', {
      detail: `${held.codes} link codes are waiting to be redeemed. Redeem one, or wait until one expires.`,
    });
  }
  const shares = held.shares + held.promised;
  if (shares + wanted <= limits.sandboxShares) return;
  throw new DomainError('conflict', {
    detail: `Your sandbox holds ${shares} of at most ${limits.sandboxShares} shared resources, including revoked ones and those of valid link codes. Regenerate the test data to start again.`,
  });
}
