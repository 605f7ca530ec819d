import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../../../shared/limits.ts';
import { locking, noteLock, takeLock } from '../../../shared/locks.ts';
import { sql } from '../../../shared/sql.ts';
import type { RevocationReason } from '../../Certificate.ts';
import type { CertificateSigner } from '../../CertificateSigner.ts';
import { certificateLifecycle } from '../../certificateStatus.ts';
import { signCrl } from './signCrl.ts';

const lockAuthoritySql = locking(
  'authority',
  'no key update',
  (clause) => `select crl_number::text as number from certificate_authority where id = $1 ${clause}`,
);

/** By the primary key, and by certificate_unpublished. */
const stateSql = `
select (select (extract(epoch from l.this_update) * 1000)::float8 from certificate_revocation_list l where l.authority_id = $1) as "thisUpdate",
       exists (select 1 from certificate x where x.issuer_id = $1 and ${certificateLifecycle.isIn(['revoked'], { row: 'x' })}
                 and x.serial is not null and x.crl_published_at is null) as unpublished`;
type State = { readonly thisUpdate: number | null; readonly unpublished: boolean };

/** By certificate_unpublished. Also what was revoked while it was pending: once a serial is reserved, a certificate with it may exist. */
const publishSql = `
update certificate set ${certificateLifecycle.sets('publishRevocation', { crlPublishedAt: '$2' })}
 where issuer_id = $1 and ${certificateLifecycle.mayStart('publishRevocation')} and serial is not null and crl_published_at is null`;

/**
 * By certificate_revoked, after `publishSql`. An entry stays until it has been on one list that was made after the certificate's end (RFC
 * 5280, section 3.3), which is so once the list before this one ($3) was; what is published at this moment ($2) is named in any case.
 */
const revokedSql = `
select serial, (extract(epoch from least(revoked_at, $2)) * 1000)::float8 as "revokedAt", revocation_reason as reason from certificate
 where issuer_id = $1 and ${certificateLifecycle.isIn(['revoked'])} and crl_published_at is not null and (not_after >= $3 or crl_published_at = $2)
 order by revoked_at, serial`;

const storeSql = `
insert into certificate_revocation_list (authority_id, der, etag, this_update, next_update, revoked) values ($1, $2, $3, $4, $5, $6)
    on conflict (authority_id) do update set der = excluded.der, etag = excluded.etag, this_update = excluded.this_update,
       next_update = excluded.next_update, revoked = excluded.revoked`;

/** Whether an authority needs a new list: it has none, the last one is a day old, or something revoked has not been on any list. */
export async function isCrlDue(em: EntityManager, authorityId: string, now: Date): Promise<boolean> {
  const [state] = await sql<State>(em, stateSql, [authorityId]);
  return state !== undefined && isDue(state, now);
}

function isDue({ thisUpdate, unpublished }: State, now: Date): boolean {
  return thisUpdate === null || unpublished || thisUpdate + limits.crlRenewal <= now.getTime();
}

/**
 * Makes an authority's next revocation list if one is due, and notes when the revocations that it names were published. Numbers rise by
 * one: workers that make a list at the same moment take turns, and the later one finds that nothing is due.
 */
export async function publishCrl(
  em: EntityManager,
  { authorityId, signer, now }: { authorityId: string; signer: CertificateSigner; now: Date },
): Promise<void> {
  await em.transactional(
    async (tx) => {
      const [authority] = await takeLock<{ number: string }>(tx, lockAuthoritySql, [authorityId]);
      // Read after the lock, so that it shows what another worker has just stored.
      const [state] = await sql<State>(tx, stateSql, [authorityId]);
      if (!authority || !state || !isDue(state, now)) return;
      noteLock(tx, 'certificate');
      await sql(tx, publishSql, [authorityId, now]);
      const before = new Date(state.thisUpdate ?? 0);
      const revoked = await sql<{ serial: string; revokedAt: number; reason: RevocationReason }>(tx, revokedSql, [
        authorityId,
        now,
        before,
      ]);
      const number = BigInt(authority.number) + 1n;
      // The clocks of two machines differ a little, and a list must not seem older than the one before it.
      const thisUpdate = wholeSeconds(Math.max(now.getTime(), state.thisUpdate ?? 0));
      const nextUpdate = new Date(thisUpdate.getTime() + limits.crlLifetime);
      const list = await signCrl(signer, {
        number,
        thisUpdate,
        nextUpdate,
        revoked: revoked.map(({ revokedAt, ...entry }) => ({ ...entry, revokedAt: wholeSeconds(revokedAt) })),
      });
      await sql(tx, 'update certificate_authority set crl_number = $2 where id = $1', [authorityId, number.toString()]);
      await sql(tx, storeSql, [authorityId, list.der, list.etag, thisUpdate, nextUpdate, revoked.length]);
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}

function wholeSeconds(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1000) * 1000);
}
