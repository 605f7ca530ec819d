import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { revokeConnection } from '../sharing/revokeConnection.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';
import { Integration } from './Integration.ts';
import { lockIntegration } from './lockIntegration.ts';
import {
  cancelLinkCodesSql,
  closeSubmissionSql,
  liveConnectionsSql,
  lockClientsSql,
  lockCorporaSql,
  lockFeedsSql,
  revokeCertificatesSql,
} from './retireIntegration.sql.ts';

type RetireIntegration = {
  readonly actor: OperatorActor;
  readonly integrationId: string;
  /** An administrator's, for the owner to read; owners need none. */
  readonly reason: string | null;
  readonly now: Date;
};

const longestReason = 500;

/**
 * Ends an integration for good, by its owner or an administrator (contract, “Integration status”). The administrator says why. Another's
 * integration is not_found for everybody else. Errors: invalid_request (reason), not_found, conflict (under review, or retired before).
 */
export async function retireIntegration(em: EntityManager, { actor, integrationId, reason, now }: RetireIntegration): Promise<Integration> {
  const words = reason?.trim() ?? '';
  if (words.length > longestReason) {
    refuseInvalid([{ path: 'input.reason', message: `A reason has at most ${longestReason} characters.` }]);
  }
  return em.transactional(
    async (tx) => {
      const integration = await tx.findOne(Integration, { id: integrationId });
      if (!integration || !mayRetire(actor, integration)) throw new DomainError('not_found', { detail: 'There is no such integration.' });
      if (integration.operatorId !== actor.operatorId && words === '') {
        refuseInvalid([{ path: 'input.reason', message: 'Say why: the owner reads it in the audit trail.' }]);
      }
      await retire(tx, integration, actor, now, words);
      return integration;
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}

function mayRetire(actor: OperatorActor, { operatorId }: Integration): boolean {
  return operatorId === actor.operatorId || actor.roles.includes('administrator');
}

/**
 * Retires an integration in the caller's transaction (READ COMMITTED), with all that it has: link codes that are still good are
 * cancelled, certificates revoked, connections revoked with their tombstones and deletion deadlines, and an open submission is closed.
 * The very next machine request is refused. The row stays, and with it the slug. The locks are those of the whole service in their
 * order, the feeds last: nothing but the commit should follow. Errors: conflict.
 */
export async function retire(tx: EntityManager, { id }: Integration, actor: OperatorActor, now: Date, reason = ''): Promise<void> {
  const integration = await lockIntegration(tx, id);
  if (integration.status === 'submitted' && !actor.roles.includes('administrator')) {
    throw new DomainError('conflict', { detail: 'This integration is under review. Retire it once the reviewers have decided.' });
  }
  integration.apply('retireIntegration', now, reason || null);
  await tx.flush();
  const entry = { operatorId: integration.operatorId, integrationId: id };
  await sql(tx, closeSubmissionSql, [id, now, actor.operatorId]);
  await sql(tx, lockCorporaSql, [id]);
  const linkCodes = await sql<{ id: string }>(tx, cancelLinkCodesSql, [id, now]);
  await sql(tx, lockClientsSql, [id]);
  const certificates = await sql<{ id: string }>(tx, revokeCertificatesSql, [id, now]);
  for (const certificate of certificates) {
    await record(tx, actor, now, {
      ...entry,
      action: 'certificate.revoked',
      subject: { type: 'certificate', id: certificate.id },
      details: { reason: 'cessation_of_operation' },
    });
  }
  await sql(tx, lockFeedsSql, [id]);
  const connections = await sql<{ clientNo: number; id: string }>(tx, liveConnectionsSql, [id]);
  for (const { clientNo, id: connectionId } of connections) {
    const revocation = await revokeConnection(tx, { clientNo, connectionId, now });
    await record(tx, actor, now, {
      ...entry,
      action: 'connection.revoked',
      subject: { type: 'connection', id: connectionId },
      details: { revocationId: revocation?.revocationId ?? '' },
    });
  }
  await record(tx, actor, now, {
    ...entry,
    action: 'integration.retired',
    subject: { type: 'integration', id },
    details: {
      linkCodes: linkCodes.length,
      certificates: certificates.length,
      connections: connections.length,
      ...(reason !== '' && { reason }),
    },
  });
}
