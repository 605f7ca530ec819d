import { isOwnerOf } from '../../domain/integration/refuseOwn.ts';
import { DomainError } from '../../domain/shared/DomainError.ts';
import type { WebhookEndpoint } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import { actorOf, type PortalContext } from '../context.ts';

type Endpoint = Pick<WebhookEndpoint, 'integrationId'>;

/** Whether the endpoint is the viewer's own. Administrators reach everybody's through their integrations. */
export async function isViewersOwn({ integrationId }: Endpoint, context: PortalContext): Promise<boolean> {
  return isOwnerOf(await context.loaders.integration.load(integrationId), actorOf(context));
}

/** For what only the endpoint's owner may read. Errors: forbidden. */
export async function refuseUnlessViewersOwn(endpoint: Endpoint, context: PortalContext): Promise<void> {
  if (!(await isViewersOwn(endpoint, context)))
    throw new DomainError('forbidden', { detail: 'Only its owner sees what an endpoint is sent.' });
}
