import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditAction } from '../audit/auditActions.ts';
import { shown } from '../audit/auditSql.ts';
import type { AuditEntry } from '../audit/auditTrail.ts';
import { integrationActsThat } from '../audit/integrationActs.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { countErrors } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';

/** What changes the access of an integration, no matter who decides it: a person, the terminal, or the service for a missed deletion. */
const decisions = [
  'commercial_agreement.recorded',
  'commercial_agreement.withdrawn',
  ...integrationActsThat(({ decision }) => decision !== null),
  'quota_override.set',
  'quota_override.withdrawn',
] satisfies readonly AuditAction[];

/**
 * By audit_entry_integration_action, the end of one range for each action, so that however much else the trail has of the integration is not
 * read. With arrays of one, as in `auditSql`.
 */
const decisionsSql = `${shown}
  from (select e.* from unnest($2::text[]) wanted(action)
         cross join lateral (select * from audit_entry a where a.integration_id = any (array[$1::text]) and a.action = any (array[wanted.action])
                              order by a.integration_id, a.action, a.occurred_at desc, a.id desc limit $3) e) e
 order by e.occurred_at desc, e.id desc limit $3`;

/**
 * The latest decisions about an integration, newest first, however much has happened since. The caller may read the whole trail. Errors:
 * invalid_request (`first`).
 */
export async function decisionsAbout(
  em: EntityManager,
  { integrationId, first }: { integrationId: string; first: number },
): Promise<AuditEntry[]> {
  refuseInvalid(countErrors(first));
  return sql<AuditEntry>(em, decisionsSql, [integrationId, decisions, first]);
}
