import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { revokeConnection } from '../../sharing/revocation/revokeConnection.ts';
import { revokeResource } from '../../sharing/revocation/revokeResource.ts';
import type { Revocation } from '../../sharing/revocation/revokeResources.ts';
import { ownLiveSandbox } from '../ownSandbox.ts';
import { countSandboxAction } from './countSandboxAction.ts';

type RevokeSandboxShare = {
  readonly actor: OperatorActor;
  readonly clientId: string;
  /** One of the two: a shared resource, or a connection with everything that it shares. */
  readonly resourceId: string | null;
  readonly connectionId: string | null;
  readonly now: Date;
};

/**
 * Revokes in a sandbox as a user would: with a tombstone in the next sync, 410 for single resources, and seven days to acknowledge the
 * deletion. Errors: not_found, invalid_request (both or neither), conflict (retired; already revoked).
 */
export function revokeSandboxShare(
  em: EntityManager,
  { actor, clientId, resourceId, connectionId, now }: RevokeSandboxShare,
): Promise<Revocation> {
  const message = 'Name either a resource or a connection.';
  refuseInvalid((resourceId === null) === (connectionId === null) ? [{ path: 'input.resourceId', message }] : []);
  return em.transactional(async (tx) => {
    const client = await ownLiveSandbox(tx, actor, clientId);
    await countSandboxAction(tx, client.number, now);
    const clientNumber = client.number;
    const revoked =
      resourceId !== null
        ? await revokeResource(tx, { clientNumber, resourceId, now })
        : await revokeConnection(tx, { clientNumber, connectionId: connectionId ?? '', now });
    if (!revoked) throw new DomainError('not_found', { detail: 'Nothing is shared in this sandbox under this identifier.' });
    if (revoked.alreadyRevoked) {
      throw new DomainError('conflict', { detail: `This has already been revoked, with revocation ${revoked.revocationId}.` });
    }
    await record(tx, actor, now, {
      action: 'sandbox_share.revoked',
      subject: resourceId === null ? { type: 'connection', id: connectionId ?? '' } : { type: 'shared_resource', id: resourceId },
      integrationId: client.integrationId,
      details: { revocationId: revoked.revocationId },
    });
    return { revocationId: revoked.revocationId, deletionDeadlineAt: revoked.deletionDeadlineAt };
  });
}
