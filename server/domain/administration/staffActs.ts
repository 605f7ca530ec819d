import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditAction } from '../audit/auditActions.ts';
import type { AuditEntry } from '../audit/auditTrail.ts';
import { integrationActsThat } from '../audit/integrationActs.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { countErrors } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';

/** What only staff do. */
const staffOnly = [
  'account_reset.approved',
  'account_reset.requested',
  'commercial_agreement.recorded',
  'commercial_agreement.withdrawn',
  ...integrationActsThat(({ staff }) => staff === 'only'),
  'job.retried',
  'operator.locked',
  'operator.unlocked',
  'production_gate.closed',
  'production_gate.opened',
  'quota_override.set',
  'quota_override.withdrawn',
  'role.granted',
  'role.withdrawn',
  'service_token.created',
  'service_token.revoked',
  'terms.published',
] satisfies readonly AuditAction[];

/** What owners do to what is theirs, and staff to what is somebody else’s. */
const alsoOwners = [
  'account_reset.cancelled',
  'certificate.revoked',
  ...integrationActsThat(({ staff }) => staff === 'also'),
  'webhook_endpoint.paused',
  'webhook_endpoint.resumed',
] satisfies readonly AuditAction[];

/** By operator_roles and, for each of the few accounts with a role, audit_entry_actor. */
const actsSql = `
select e.id::text, e.occurred_at as "occurredAt", e.actor_type as "actorType", e.actor_id as "actorId", e.action,
       e.subject_type as "subjectType", e.subject_id as "subjectId", e.operator_id as "operatorId", e.integration_id as "integrationId",
       e.request_id as "requestId", host(e.ip) as ip, e.details
  from operator o
 cross join lateral (select * from audit_entry a
                      where a.actor_id = o.id and a.occurred_at > $2
                        and (a.action = any ($3::text[]) or a.action = any ($4::text[]) and a.operator_id is distinct from a.actor_id)
                      order by a.occurred_at desc, a.id desc limit $5) e
 where o.roles && '{administrator,reviewer}' and o.roles <> '{}' and o.id <> $1
 order by e.occurred_at desc, e.id desc limit $5`;

/** What a reader’s colleagues have decided lately, the latest first. The caller may read the whole trail. Errors: invalid_request (`first`). */
export async function staffActs(
  em: EntityManager,
  { operatorId, now, first }: { operatorId: string; now: Date; first: number },
): Promise<AuditEntry[]> {
  refuseInvalid(countErrors(first));
  const since = new Date(now.getTime() - limits.staffActsListed);
  return sql<AuditEntry>(em, actsSql, [operatorId, since, staffOnly, alsoOwners, first]);
}
