import { type EndpointPermission, phaseFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import type { Client, Integration } from '../integration/integrationQuery.ts';

/** Whether an endpoint of this environment can be set up or changed now, or why not. */
export function endpointPermission({ phases }: Pick<Integration, 'phases'>, environment: Client['environment']): EndpointPermission {
  return phaseFacts[phases[environment]].endpoints;
}

/** The clients of the environments in which one can be. */
export function permittedClients<Of extends Pick<Client, 'environment'>>(
  integration: Pick<Integration, 'phases'> & { readonly clients: readonly Of[] },
): readonly Of[] {
  return integration.clients.filter(({ environment }) => endpointPermission(integration, environment) === 'yes');
}
