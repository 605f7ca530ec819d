import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAll } from '../../audit/record.ts';
import { commonNameOf } from '../../client/commonName.ts';
import { notify } from '../../notification/notify.ts';
import type { Environment } from '../../shared/environment.ts';
import { locking, noteLock, takeLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { certificateSources } from '../Certificate.ts';
import { certificateLifecycle } from '../certificateStatus.ts';
import { requestCrls } from '../crl/requestCrls.ts';
import { withdrawP12Packages } from '../p12/package/withdrawP12Packages.ts';
import { restoreEnds } from '../restoreEnds.ts';

const actor = { type: 'system', name: 'revokeUntrusted' } as const;
const reason = 'The authority that issued it has been revoked.';
/** Clients whose certificates are revoked in one transaction. */
const slice = 500;

const revocable = `${certificateLifecycle.mayStart('revokeCertificate', { row: 'x' })} and (x.not_after is null or x.not_after > $2)`;

/** By certificate_listed, whose first columns this names. What is pending may be about to be signed, so it counts as well. */
const clientsSql = `
select distinct x.client_number as number from certificate x
 where x.source in (${certificateSources.map((source) => `'${source}'`).join(', ')}) and coalesce(x.issuer_id, '') = $1 and ${revocable}
 limit ${slice}`;

const lockClientsSql = locking(
  'client',
  'no key update of k',
  (clause) => `
select k.number, k.id, k.environment, i.id as "integrationId", i.operator_id as "operatorId"
  from client k join integration i on i.id = k.integration_id where k.number = any ($1::int[]) order by k.number ${clause}`,
);
type Owner = {
  readonly number: number;
  readonly id: string;
  readonly environment: Environment;
  readonly integrationId: string;
  readonly operatorId: string;
};

/** By certificate_client. */
const revokeSql = `
update certificate x set ${certificateLifecycle.sets('revokeCertificate', { slot: 'null', revokedAt: '$2', revocationReason: "'unspecified'" })}
 where x.client_number = any ($3::int[]) and x.issuer_id = $1 and ${revocable} returning x.id, x.client_number as number`;

const countSql = `
select count(*)::int as count from certificate x
 where x.source in (${certificateSources.map((source) => `'${source}'`).join(', ')}) and x.issuer_id = any ($1::text[]) and ${revocable}`;

/** How many certificates `revokeUntrusted` would revoke if these authorities were trusted no longer. By certificate_listed. */
export async function countUntrusted(em: EntityManager, authorityIds: readonly string[], now: Date): Promise<number> {
  if (authorityIds.length === 0) return 0;
  const [row] = await sql<{ count: number }>(em, countSql, [[...authorityIds], now]);
  return row?.count ?? 0;
}

/**
 * Revokes whatever an authority that is trusted no longer has issued or begun to issue, in slices; each owner gets one mail for a client. It
 * can be repeated, and goes on where an earlier run broke off.
 */
export async function revokeUntrusted(em: EntityManager, now: Date): Promise<void> {
  const authorities = await sql<{ id: string }>(
    em,
    'select id from certificate_authority where revoked_at is not null and not_after > $1',
    [now],
  );
  for (const { id } of authorities) {
    for (let left = true; left;) left = await em.fork().transactional((tx) => revokeSlice(tx, id, now));
  }
}

async function revokeSlice(tx: EntityManager, authorityId: string, now: Date): Promise<boolean> {
  const clients = await sql<{ number: number }>(tx, clientsSql, [authorityId, now]);
  if (clients.length === 0) return false;
  const owners = await takeLock<Owner>(tx, lockClientsSql, [clients.map(({ number }) => number)]);
  noteLock(tx, 'certificate');
  const revoked = await sql<{ id: string; number: number }>(tx, revokeSql, [authorityId, now, owners.map(({ number }) => number)]);
  await restoreEnds(tx, { clientNumbers: owners.map(({ number }) => number), now });
  await withdrawP12Packages(
    tx,
    revoked.map(({ id }) => id),
    now,
  );
  await requestCrls(tx);
  for (const { number, id: clientId, environment, integrationId, operatorId } of owners) {
    const its = revoked.filter((each) => each.number === number);
    if (its.length === 0) continue;
    await recordAll(
      tx,
      actor,
      now,
      its.map(({ id }) => ({
        action: 'certificate.revoked',
        subject: { type: 'certificate', id },
        operatorId,
        integrationId,
        details: { revocationReason: 'unspecified', reason, authority: authorityId },
      })),
    );
    const commonName = commonNameOf({ environment, id: clientId });
    await notify(tx, {
      kind: 'certificates_revoked',
      subjectId: `${clientId} ${authorityId} ${now.toISOString()}`,
      operatorId,
      integrationId,
      details: { environment, commonName, certificates: its.length, which: 'authority', reason },
      now,
    });
  }
  return true;
}
