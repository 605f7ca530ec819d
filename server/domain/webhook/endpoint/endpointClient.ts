import type { EntityManager } from '@mikro-orm/postgresql';
import { Client } from '../../client/Client.ts';
import type { Integration } from '../../integration/Integration.ts';
import { DomainError } from '../../shared/DomainError.ts';
import type { Environment } from '../../shared/environment.ts';

/**
 * The client of an integration whose events an endpoint of this environment receives. Errors: conflict, unless the integration may have one
 * (docs/specification.md, “Webhook endpoints”): a retired one may not, and production needs an approval that holds.
 */
export async function endpointClient(tx: EntityManager, { id, status }: Integration, environment: Environment): Promise<Client> {
  if (status === 'retired') throw new DomainError('conflict', { detail: 'A retired integration cannot have webhook endpoints.' });
  if (environment === 'production' && status === 'suspended') {
    throw new DomainError('conflict', {
      detail: 'While the integration is suspended, its production endpoints can be paused, resumed and removed, but not set up or changed.',
    });
  }
  const client = await tx.findOne(Client, { integrationId: id, environment });
  if (!client || (environment === 'production' && status !== 'approved' && status !== 'active')) {
    throw new DomainError('conflict', { detail: 'Production endpoints can be set up once the integration is approved.' });
  }
  return client;
}
