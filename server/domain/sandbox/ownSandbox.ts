import type { EntityManager } from '@mikro-orm/postgresql';
import { type IntegrationStatus, isOver } from '../integration/integrationStatus.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { sql } from '../shared/sql.ts';
import { sharingClient, type SharingClient } from '../sharing/sharingClient.ts';

/**
 * The sandbox client of the operator's own integration, not locked, because tracked resources are locked before clients. Somebody else's
 * client, or a production client, is not_found, like one that never existed.
 */
export async function ownSandbox(em: EntityManager, actor: OperatorActor, clientId: string): Promise<SharingClient> {
  const [client] = await sql<{ number: number }>(
    em,
    `select k.number from client k join integration i on i.id = k.integration_id
      where k.id = $1 and k.environment = 'sandbox' and i.operator_id = $2`,
    [clientId, actor.operatorId],
  );
  if (!client) throw new DomainError('not_found', { detail: 'There is no such sandbox client.' });
  return sharingClient(em, client.number);
}

/** The same for commands. A retired integration no longer has a sandbox (conflict). */
export async function ownLiveSandbox(em: EntityManager, actor: OperatorActor, clientId: string): Promise<SharingClient> {
  const client = await ownSandbox(em, actor, clientId);
  refuseRetired(client);
  return client;
}

/** Throws `conflict` for a retired integration. */
export function refuseRetired({ integrationStatus }: { readonly integrationStatus: IntegrationStatus }): void {
  if (isOver(integrationStatus)) throw new DomainError('conflict', { detail: 'This integration is retired. Its sandbox is closed.' });
}
