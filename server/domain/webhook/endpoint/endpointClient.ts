import type { EntityManager } from '@mikro-orm/postgresql';
import type { EndpointPermission } from '../../integration/integrationFacts.ts';
import { factsOf } from '../../integration/integrationStatus.ts';
import { Client } from '../../client/Client.ts';
import type { Integration } from '../../integration/Integration.ts';
import { DomainError } from '../../shared/DomainError.ts';
import type { Environment } from '../../shared/environment.ts';

const refusals: Readonly<Record<Exclude<EndpointPermission, 'yes'>, string>> = {
  notOnceRetired: 'A retired integration cannot have webhook endpoints.',
  notWhileSuspended:
    'While the integration is suspended, its production endpoints can be paused, resumed and removed, but neither set up, nor changed, nor moved to the sandbox.',
  notBeforeApproval: 'Production endpoints can be set up once the integration is approved.',
};

/**
 * Where none may be set up, leaves those that there are as they are, also where they are (docs/specification.md, “Webhook endpoints”). Errors:
 * conflict, which names the environment where another one is wanted.
 */
export function refuseChange({ status }: Integration, environment: Environment, wanted: Environment | undefined): void {
  const { endpoints } = factsOf(status, environment);
  if (endpoints === 'yes') return;
  const message = refusals[endpoints];
  const moves = wanted !== undefined && wanted !== environment;
  throw new DomainError('conflict', moves ? { fields: [{ path: 'input.environment', message }] } : { detail: message });
}

/**
 * The client of an integration whose events an endpoint of this environment receives. Errors: conflict, unless the integration may have one
 * (docs/specification.md, “Webhook endpoints”): a retired one may not, and production needs an approval that holds.
 */
export async function endpointClient(tx: EntityManager, { id, status }: Integration, environment: Environment): Promise<Client> {
  const { endpoints } = factsOf(status, environment);
  if (endpoints !== 'yes') throw new DomainError('conflict', { detail: refusals[endpoints] });
  const client = await tx.findOne(Client, { integrationId: id, environment });
  if (!client) throw new DomainError('conflict', { detail: refusals.notBeforeApproval });
  return client;
}
