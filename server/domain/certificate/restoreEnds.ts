import type { EntityManager } from '@mikro-orm/postgresql';
import { commonNameOf } from '../client/commonName.ts';
import { notify } from '../notification/notify.ts';
import type { Environment } from '../shared/environment.ts';
import { certificateLimits } from './certificateLimits.ts';
import { sql } from '../shared/sql.ts';
import { certificateLifecycle } from './certificateStatus.ts';

type Restored = {
  readonly id: string;
  readonly usableUntil: Date;
  readonly clientId: string;
  readonly environment: Environment;
  readonly integrationId: string;
  readonly operatorId: string;
};

const { sets, mayStart } = certificateLifecycle;

/**
 * By certificate_client. The end of a certificate follows from its own and from the first of those that were issued after it, are not
 * revoked and last longer than the overlap (`issueCertificate`). It is only ever moved back, and not for what has ended at `$2`.
 */
const restoreSql = `
with ends as (
  select o.id, least(o.not_after, (
           select min(n.issued_at) + $3 * interval '1 millisecond' from certificate n
            where n.client_number = o.client_number and ${mayStart('limitOverlap', { row: 'n' })}
              and n.not_after > n.issued_at + $3 * interval '1 millisecond'
              and (n.issued_at, n.requested_at, n.id) > (o.issued_at, o.requested_at, o.id))) as until
    from certificate o
   where o.client_number = any ($1::int[]) and ${mayStart('restoreEnd', { row: 'o' })} and o.usable_until > $2)
update certificate o set ${sets('restoreEnd', { usableUntil: 'e.until' })}
  from ends e, client k join integration i on i.id = k.integration_id
 where o.id = e.id and o.usable_until < e.until and k.number = o.client_number
returning o.id, o.usable_until as "usableUntil", k.id as "clientId", k.environment,
          i.id as "integrationId", i.operator_id as "operatorId"`;

/**
 * Gives the certificates of these clients, which are locked with their clients, their own ends back where those that should have followed
 * them have been revoked (docs/specification.md, “Rotation”), and tells their owners. Whatever revokes a certificate but not all of its
 * client calls it in the same transaction, after the revocation.
 */
export async function restoreEnds(
  tx: EntityManager,
  { clientNumbers, now }: { readonly clientNumbers: readonly number[]; readonly now: Date },
): Promise<void> {
  const restored = await sql<Restored>(tx, restoreSql, [[...clientNumbers], now, certificateLimits.certificateOverlap]);
  for (const { id, usableUntil, clientId, environment, integrationId, operatorId } of restored) {
    await notify(tx, {
      kind: 'certificate_end_restored',
      subjectId: `${id} ${now.toISOString()}`,
      operatorId,
      integrationId,
      details: { environment, commonName: commonNameOf({ environment, id: clientId }), usableUntil: usableUntil.toISOString() },
      now,
    });
  }
}
