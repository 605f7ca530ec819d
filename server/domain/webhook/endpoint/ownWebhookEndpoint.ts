import type { EntityManager } from '@mikro-orm/postgresql';
import { Integration } from '../../integration/Integration.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { hasIdForm } from '../../shared/ids.ts';
import { WebhookEndpoint } from './WebhookEndpoint.ts';

/** The endpoints of each integration that exist or are remembered after their removal, the oldest first. */
export async function webhookEndpointsOf(em: EntityManager, integrationIds: readonly string[]): Promise<WebhookEndpoint[][]> {
  const rows = await em.find(WebhookEndpoint, { integrationId: { $in: [...integrationIds] } }, { orderBy: { number: 'asc' } });
  return integrationIds.map((id) => rows.filter(({ integrationId }) => integrationId === id));
}

/**
 * One of the operator's own endpoints, also while it is only remembered after its removal. Somebody else's is not_found, like one that
 * never existed.
 */
export async function ownWebhookEndpoint(em: EntityManager, operatorId: string, endpointId: string): Promise<WebhookEndpoint> {
  const endpoint = hasIdForm('whk', endpointId) ? await em.findOne(WebhookEndpoint, { id: endpointId }) : null;
  const own = endpoint && (await em.findOne(Integration, { id: endpoint.integrationId, operatorId }));
  if (!own) throw new DomainError('not_found', { detail: 'There is no such endpoint.' });
  return endpoint;
}
