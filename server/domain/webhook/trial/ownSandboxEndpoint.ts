import type { EntityManager } from '@mikro-orm/postgresql';
import { Client } from '../../client/Client.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { ownWebhookEndpoint } from '../endpoint/ownWebhookEndpoint.ts';
import type { WebhookEndpoint } from '../endpoint/WebhookEndpoint.ts';
import { webhookEndpointFacts } from '../../outbox/webhookEndpointFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';

/** One of the operator's own endpoints in the sandbox, where things may be tried out. Errors: not_found, conflict (production, removed). */
export async function ownSandboxEndpoint(em: EntityManager, operatorId: string, endpointId: string): Promise<WebhookEndpoint> {
  const endpoint = await ownWebhookEndpoint(em, operatorId, endpointId);
  const { environment } = await em.findOneOrFail(Client, { number: endpoint.clientNumber });
  if (environment !== 'sandbox') {
    throw new DomainError('conflict', {
      detail: 'This is possible for sandbox endpoints only. Production receivers get only real events.',
    });
  }
  if (factsIn(webhookEndpointFacts, endpoint.status).receives === 'never')
    throw new DomainError('conflict', { detail: 'This endpoint has been removed.' });
  return endpoint;
}
