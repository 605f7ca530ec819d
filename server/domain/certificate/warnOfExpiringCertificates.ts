import type { EntityManager } from '@mikro-orm/postgresql';
import { commonNameOf } from '../client/commonName.ts';
import { notify } from '../notification/notify.ts';
import { isInUse, whereFacts } from '../integration/integrationStatus.ts';
import type { Environment } from '../shared/environment.ts';
import { timeToInstall } from './certificateFacts.ts';
import { certificateLimits } from './certificateLimits.ts';
import { sql } from '../shared/sql.ts';
import { isIssued } from './certificateStatus.ts';

const slice = 500;

type Due = {
  readonly subject: string;
  readonly usableUntil: Date;
  readonly clientId: string;
  readonly environment: Environment;
  readonly integrationId: string;
  readonly operatorId: string;
};

/** What one mail is about: an end can move back, and is then told again. */
const subject = `c.id || ':' || t.threshold || ':' || extract(epoch from c.usable_until)::bigint`;

/**
 * Whether the client of the certificate `c` calls with a newer one that works longer, so that nothing is left to do. A day after it was issued, a
 * back end that still calls with `c` has been forgotten.
 */
const isReplaced = `exists (
  select from certificate n join certificate_activity a on a.certificate_id = n.id
   where n.client_number = c.client_number and n.slot is not null and ${isIssued('n')} and n.usable_until > c.usable_until
     and (n.issued_at > $1::timestamptz - $4 * interval '1 millisecond'
          or not exists (select from certificate_activity o
                          where o.certificate_id = c.id and o.last_used_at > $1::timestamptz - $4 * interval '1 millisecond')))`;

/** By certificate_expiry: the nearest threshold that has been passed, and its mail by the key (kind, subject_id). */
const dueSql = `
select ${subject} as subject, c.usable_until as "usableUntil", k.id as "clientId", k.environment,
       i.id as "integrationId", i.operator_id as "operatorId"
  from certificate c join client k on k.number = c.client_number join integration i on i.id = k.integration_id
 cross join lateral (select min(days) as threshold from unnest($2::int[]) days where c.usable_until <= $1::timestamptz + days * interval '24 hours') t
 where ${isIssued('c')} and ${whereFacts(isInUse, { row: 'i', environment: 'k.environment' })}
   and c.usable_until > $1 and c.usable_until <= $1::timestamptz + $3 * interval '24 hours'
   and not ${isReplaced}
   and not exists (select 1 from mail m where m.kind = 'certificate_expiring' and m.subject_id = ${subject})
 order by c.usable_until limit ${slice}`;

/**
 * Mails the owners of certificates that stop working in 30, 14, 7 or 1 days, whether they expire or their overlap ends, once for each
 * certificate, end and threshold, unless all calls come with a newer one. After a time without workers, only the nearest threshold is mailed, as it is after a suspension, in which the
 * need that the mail tells of does not arise. It is safe to run at any time.
 */
export async function warnOfExpiringCertificates(em: EntityManager, { now }: { now: Date }): Promise<void> {
  const thresholds = certificateLimits.certificateWarningDays;
  for (;;) {
    const told = await em.transactional(async (tx) => {
      const due = await sql<Due>(tx, dueSql, [now, thresholds, Math.max(...thresholds), timeToInstall]);
      for (const { subject: subjectId, usableUntil, clientId, environment, integrationId, operatorId } of due) {
        await notify(tx, {
          kind: 'certificate_expiring',
          subjectId,
          operatorId,
          integrationId,
          details: {
            environment,
            commonName: commonNameOf({ environment, id: clientId }),
            usableUntil: usableUntil.toISOString(),
            left: usableUntil.getTime() - now.getTime(),
          },
          now,
        });
      }
      return due.length;
    });
    if (told < slice) return;
  }
}
