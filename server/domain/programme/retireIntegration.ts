import { noteLock, takeLock } from '../shared/locks.ts';
import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { record, recordAll } from '../audit/record.ts';
import { requestCrls } from '../certificate/crl/requestCrls.ts';
import { withdrawP12Packages } from '../certificate/p12/package/withdrawP12Packages.ts';
import type { Integration } from '../integration/Integration.ts';
import { lockIntegration } from '../integration/lockIntegration.ts';
import { isOwnerOf } from '../integration/refuseOwn.ts';
import { notify } from '../notification/notify.ts';
import { removeDrafts } from '../review/owner/submissionDraft.ts';
import { forgetSittings } from '../review/sitting.ts';
import type { Actor, OperatorActor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { enqueue } from '../shared/jobs.ts';
import { goodReason } from '../shared/reason.ts';
import { sql } from '../shared/sql.ts';
import { discardWaiting, waitingDeliveries } from '../outbox/discardDeliveries.ts';
import { outstandingDeletions } from '../sharing/deletion/outstandingDeletions.ts';
import { revokeConnections } from '../sharing/revocation/revokeConnections.ts';
import {
  cancelLinkCodesSql,
  closeSubmissionsSql,
  liveConnectionsSql,
  lockClientsSql,
  lockCorporaSql,
  lockFeedsSql,
  removeEndpointsSql,
  revokeCertificatesOfIntegrationsSql,
  sandboxClientsSql,
  stopRenewalsSql,
} from './retireIntegration.sql.ts';
import { integrationFacts } from '../integration/integrationFacts.ts';
import { factsIn } from '../shared/lifecycle.ts';

type RetireIntegration = {
  readonly actor: OperatorActor;
  readonly integrationId: string;
  /** For the owner to read. An administrator has to give one, an owner does not. */
  readonly reason: string | null;
  readonly now: Date;
};

/**
 * Ends an integration for good, by its owner or an administrator (docs/specification.md, “Retirement”). An administrator says why, and the
 * owner gets a mail. For anybody else, it is not_found. Errors: invalid_request (reason), not_found, conflict (under review, or already
 * retired).
 */
export async function retireIntegration(em: EntityManager, { actor, integrationId, reason, now }: RetireIntegration): Promise<Integration> {
  const words = reason?.trim() ? goodReason(reason) : '';
  return em.transactional(
    async (tx) => {
      // Locked before the mail is queued, because the mail refers to the account, which may be being deleted with all its integrations.
      const integration = await lockIntegration(tx, integrationId, actor.roles.includes('administrator') ? undefined : actor.operatorId);
      const { id: subjectId, operatorId } = integration;
      const others = operatorId !== actor.operatorId;
      if (others && words === '') refuseInvalid([{ path: 'input.reason', message: 'Enter a reason; the owner will read it.' }]);
      await retire(tx, { integrations: [integration], actor, reason: words, now });
      if (others) {
        const [left] = await outstandingDeletions(tx, [integrationId], now);
        const details = { reason: words, deletions: left?.outstanding ?? 0 };
        await notify(tx, { kind: 'integration_retired', subjectId, operatorId, integrationId, details, now });
      }
      return integration;
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}

/**
 * Retires locked integrations in the caller's transaction (READ COMMITTED), with everything that belongs to them: live link codes are
 * cancelled, webhook endpoints removed, certificates revoked, production connections revoked with their tombstones and deletion deadlines,
 * and an open submission is closed; a job removes the test data. The very next machine request is refused. The rows stay, and with them the
 * slugs. The feeds are locked last, so that little but the commit follows. Errors: conflict.
 */
export async function retire(
  tx: EntityManager,
  { integrations, actor, reason = '', now }: { integrations: readonly Integration[]; actor: Actor; reason?: string; now: Date },
): Promise<void> {
  const ids = integrations.map(({ id }) => id);
  for (const integration of integrations) {
    refuseUnderReview(integration, actor);
    integration.apply('retireIntegration', now, reason || null);
  }
  await tx.flush();
  noteLock(tx, 'submission');
  const closed = await sql<{ id: string }>(tx, closeSubmissionsSql, [ids, now, actor.type === 'operator' ? actor.operatorId : null]);
  await forgetSittings(
    tx,
    closed.map(({ id }) => id),
  );
  await removeDrafts(tx, ids);
  await takeLock(tx, lockCorporaSql, [ids]);
  const linkCodes = await takeLock<Ended>(tx, cancelLinkCodesSql, [ids, now]);
  await takeLock(tx, lockClientsSql, [ids]);
  await sql(tx, stopRenewalsSql, [ids]);
  noteLock(tx, 'webhookEndpoint');
  const endpoints = await sql<Ended & { number: number }>(tx, removeEndpointsSql, [ids, now]);
  noteLock(tx, 'certificate');
  const certificates = await sql<Ended>(tx, revokeCertificatesOfIntegrationsSql, [ids, now]);
  if (certificates.length > 0) await requestCrls(tx);
  await withdrawP12Packages(
    tx,
    certificates.map(({ id }) => id),
    now,
  );
  await takeLock(tx, lockFeedsSql, [ids]);
  for (const { number } of await sql<{ number: number }>(tx, sandboxClientsSql, [ids]))
    await enqueue(tx, 'emptySandbox', { clientNumber: number });
  const connections = await sql<Ended & { clientNumber: number }>(tx, liveConnectionsSql, [ids]);
  for (const integration of integrations) {
    const entry = { operatorId: integration.operatorId, integrationId: integration.id };
    const its = <Row extends Ended>(rows: readonly Row[]) => rows.filter(({ integrationId }) => integrationId === integration.id);
    await recordAll(
      tx,
      actor,
      now,
      its(certificates).map(({ id }) => ({
        ...entry,
        action: 'certificate.revoked',
        subject: { type: 'certificate', id },
        details: { reason: 'cessation_of_operation' },
      })),
    );
    await recordAll(
      tx,
      actor,
      now,
      its(endpoints).map(({ id }) => ({ ...entry, action: 'webhook_endpoint.removed', subject: { type: 'webhook_endpoint', id } })),
    );
    await endConnections(tx, { connections: its(connections), actor, entry, now });
    await record(tx, actor, now, {
      ...entry,
      action: 'integration.retired',
      subject: { type: 'integration', id: integration.id },
      details: {
        linkCodes: its(linkCodes).length,
        certificates: its(certificates).length,
        connections: its(connections).length,
        ...(reason !== '' && { reason }),
      },
    });
  }
  await discardWaiting(tx, {
    numbers: await waitingDeliveries(
      tx,
      endpoints.map(({ number }) => number),
    ),
    reason: 'endpoint_gone',
    now,
  });
}

type Ended = { readonly id: string; readonly integrationId: string };

type EndConnections = {
  readonly connections: readonly { readonly clientNumber: number; readonly id: string }[];
  readonly actor: Actor;
  readonly entry: { readonly operatorId: string; readonly integrationId: string };
  readonly now: Date;
};

/** Revokes the live connections of an integration, client by client: there may be thousands, and the feeds stay locked in the meantime. */
async function endConnections(tx: EntityManager, { connections, actor, entry, now }: EndConnections): Promise<void> {
  for (const [clientNumber, its] of Map.groupBy(connections, (connection) => connection.clientNumber)) {
    const revoked = await revokeConnections(tx, { clientNumber, connectionIds: its.map(({ id }) => id), now });
    await recordAll(
      tx,
      actor,
      now,
      revoked.map(({ connectionId, revocationId }) => ({
        ...entry,
        action: 'connection.revoked',
        subject: { type: 'connection', id: connectionId },
        details: { revocationId },
      })),
    );
  }
}

/** Owners have to withdraw the submission first, even an owner who is an administrator. */
function refuseUnderReview(integration: Integration, actor: Actor): void {
  if (!factsIn(integrationFacts, integration.status).isInReview || !isOwnerOf(integration, actor)) return;
  throw new DomainError('conflict', { detail: 'This integration is under review. Withdraw the submission first, then retire it.' });
}
