import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { certificateLimits } from '../../certificateLimits.ts';
import { noteLock } from '../../../shared/locks.ts';
import { sql } from '../../../shared/sql.ts';
import type { RevocationReason } from '../../Certificate.ts';
import type { CertificateSigner } from '../../CertificateSigner.ts';
import { certificateLifecycle } from '../../certificateStatus.ts';
import { validFrom, wholeSeconds } from '../../validity.ts';
import { signCrl } from './signCrl.ts';
import { lockCrl, storeCrl } from './storeCrl.ts';

/** By the primary key, and by certificate_unpublished. */
const dueSql = `
select not exists (select 1 from certificate_revocation_list l where l.authority_id = $1 and l.this_update > $2)
    or exists (select 1 from certificate x where x.issuer_id = $1 and ${certificateLifecycle.isIn(['revoked'], { row: 'x' })}
                  and x.serial is not null and x.crl_published_at is null) as due`;

/** Whether an authority needs a new list: it has none, the last one is a day old, or something revoked has not been on any list. */
export async function isCrlDue(em: EntityManager, authorityId: string, now: Date): Promise<boolean> {
  const [row] = await sql<{ due: boolean }>(em, dueSql, [authorityId, new Date(validFrom(now).getTime() - certificateLimits.crlRenewal)]);
  return row?.due === true;
}

const entry = `serial, least(revoked_at, $2) as "revokedAt", revocation_reason as reason`;
type Entry = { readonly serial: string; readonly revokedAt: Date; readonly reason: RevocationReason };

/** By certificate_unpublished. Also what was revoked while it was pending: once a serial is reserved, a certificate with it may exist. */
const publishSql = `
update certificate set ${certificateLifecycle.sets('publishRevocation', { crlPublishedAt: '$2' })}
 where id = any (array(select id from certificate where issuer_id = $1 and ${certificateLifecycle.mayStart('publishRevocation')}
                         and serial is not null and crl_published_at is null limit $4))
returning ${entry}, not_after < $3 as ended`;

/**
 * By certificate_revoked alone, after `publishSql`. An entry stays until it has been on one list that was made after the certificate's end
 * (RFC 5280, section 3.3), which is so once the list before this one ($3) was.
 */
const stayingSql = `
select ${entry} from certificate
 where issuer_id = $1 and ${certificateLifecycle.isIn(['revoked'])} and crl_published_at is not null and not_after >= $3
 order by revoked_at, serial`;

/** What the next list names: also what is published only now, after its end. */
async function publishEntries(tx: EntityManager, authorityId: string, now: Date, before: Date): Promise<Entry[]> {
  noteLock(tx, 'certificate');
  const added = await sql<Entry & { ended: boolean }>(tx, publishSql, [authorityId, now, before, certificateLimits.crlSlice]);
  const staying = await sql<Entry>(tx, stayingSql, [authorityId, now, before]);
  return [...staying, ...added.filter(({ ended }) => ended)];
}

/**
 * Makes an authority's next revocation list if one is due, and notes when the revocations that it names were published. If very many are
 * new, it names some of them, and another list is due at once. Numbers rise by one: workers that make a list at the same moment take turns,
 * and the later one finds that nothing is due.
 */
export async function publishCrl(
  em: EntityManager,
  { authorityId, signer, now }: { authorityId: string; signer: CertificateSigner; now: Date },
): Promise<void> {
  await em.transactional(
    async (tx) => {
      const last = await lockCrl(tx, authorityId);
      if (!(await isCrlDue(tx, authorityId, now))) return;
      const revoked = await publishEntries(tx, authorityId, now, last.thisUpdate ?? new Date(0));
      // The clocks of two machines differ a little, and a list must not seem older than the one before it.
      const thisUpdate = wholeSeconds(Math.max(validFrom(now).getTime(), last.thisUpdate?.getTime() ?? 0));
      const content = {
        number: last.number + 1n,
        thisUpdate,
        nextUpdate: wholeSeconds(Math.max(now.getTime(), thisUpdate.getTime()) + certificateLimits.crlLifetime),
      };
      const entries = revoked.map(({ serial, revokedAt, reason }) => ({ serial, revokedAt: wholeSeconds(revokedAt.getTime()), reason }));
      const list = await signCrl(signer, { ...content, revoked: entries }, { last, lifetime: certificateLimits.crlLifetime });
      await storeCrl(tx, authorityId, { ...list, ...content, revoked: entries.length });
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}
