import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Integration } from '../../domain/integration/Integration.ts';
import type { Environment } from '../../domain/shared/environment.ts';
import type { EndpointHealth } from '../../domain/webhook/endpoint/endpointHealth.ts';
import { ownWebhookEndpoint } from '../../domain/webhook/endpoint/ownWebhookEndpoint.ts';
import type { WebhookEndpoint } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import { EnvironmentEnum, IntegrationType } from '../integration/integrationTypes.ts';
import { isViewersOwn } from './viewersEndpoint.ts';
import { EndpointHealthType, WebhookEndpointType } from './webhookEndpointTypes.ts';

@Resolver(() => WebhookEndpointType)
export class WebhookEndpointResolver {
  @Query(() => WebhookEndpointType, { description: 'One of the viewer’s own endpoints; removed ones are remembered for 30 days.' })
  webhookEndpoint(@Arg('id', () => ID) id: string, @Ctx() context: PortalContext): Promise<WebhookEndpoint> {
    return ownWebhookEndpoint(context.em, actorOf(context).operatorId, id);
  }

  @FieldResolver(() => String, {
    description:
      'Exactly as it was registered, and as it is signed and sent. Anybody but the owner sees its origin alone, since path and query may hold a secret.',
  })
  async url(@Root() endpoint: WebhookEndpoint, @Ctx() context: PortalContext): Promise<string> {
    return !context.viewed && (await isViewersOwn(endpoint, context)) ? endpoint.url : new URL(endpoint.url).origin;
  }

  @FieldResolver(() => EnvironmentEnum)
  environment(@Root() { clientNumber }: WebhookEndpoint, @Ctx() { loaders }: PortalContext): Promise<Environment> {
    return loaders.environment.load(clientNumber);
  }

  @FieldResolver(() => EndpointHealthType)
  health(@Root() { number }: WebhookEndpoint, @Ctx() { loaders }: PortalContext): Promise<EndpointHealth> {
    return loaders.endpointHealth.load(number);
  }
}

@Resolver(() => IntegrationType)
export class IntegrationWebhooksResolver {
  @FieldResolver(() => [WebhookEndpointType], {
    description: 'Those of both environments, the oldest first, and those that were removed in the last 30 days.',
    complexity: severalOf,
  })
  webhookEndpoints(@Root() { id }: Integration, @Ctx() { loaders }: PortalContext): Promise<WebhookEndpoint[]> {
    return loaders.webhookEndpoints.load(id);
  }
}
