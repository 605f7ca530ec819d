import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { commonNameOf } from '../../client/commonName.ts';
import { notify } from '../../notification/notify.ts';
import type { Actor } from '../../shared/actor.ts';
import type { Environment } from '../../shared/environment.ts';
import { sql } from '../../shared/sql.ts';
import { type CertificateOwner, revokeLocked } from '../revokeCertificate.ts';
import { p12Lifecycle } from './package/p12Status.ts';

const { sets, mayStart } = p12Lifecycle;

/** Why a package can no longer be claimed: its time is over, or too many tokens were wrong. */
const ends = {
  expired: {
    text: `update p12_package set ${sets('expireP12', { sealed: 'null', endedAt: '$2' })} where certificate_id = $1 and ${mayStart('expireP12')}`,
    action: 'key_package.expired',
    mail: 'p12_expired',
  },
  blocked: {
    text: `
update p12_package set ${sets('blockP12', { sealed: 'null', failedAttempts: 'failed_attempts + 1', endedAt: '$2' })}
 where certificate_id = $1 and ${mayStart('blockP12')}`,
    action: 'key_package.blocked',
    mail: 'p12_blocked',
  },
} as const;
const clientSql = 'select k.id, k.environment from certificate x join client k on k.number = x.client_number where x.id = $1';

type EndP12 = {
  readonly actor: Actor;
  readonly certificateId: string;
  readonly owner: CertificateOwner;
  readonly because: keyof typeof ends;
  readonly now: Date;
};

/**
 * Ends a locked package that is ready but can no longer be claimed: its bytes are removed, its certificate is revoked, which frees
 * the slot, and the owner gets a mail.
 */
export async function endP12(tx: EntityManager, { actor, certificateId, owner, because, now }: EndP12): Promise<void> {
  const { text, action, mail } = ends[because];
  await sql(tx, text, [certificateId, now]);
  await revokeLocked(tx, { actor, certificateId, owner, reason: 'cessation_of_operation', now });
  await record(tx, actor, now, { action, subject: { type: 'certificate', id: certificateId }, ...owner });
  const [client] = await sql<{ id: string; environment: Environment }>(tx, clientSql, [certificateId]);
  if (!client) throw new Error('A certificate has a client.');
  const details = { environment: client.environment, commonName: commonNameOf(client) };
  await notify(tx, { kind: mail, subjectId: certificateId, ...owner, details, now });
}
