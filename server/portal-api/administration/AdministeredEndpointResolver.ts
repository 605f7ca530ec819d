import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import {
  failingWebhookEndpoints,
  type AdministeredEndpoint,
  type EndpointView,
} from '../../domain/administration/failingWebhookEndpoints.ts';
import type { OperatorRecord } from '../../domain/administration/operators.ts';
import { pauseAnyWebhookEndpoint, resumeAnyWebhookEndpoint } from '../../domain/administration/pauseAnyWebhookEndpoint.ts';
import type { Integration } from '../../domain/integration/Integration.ts';
import { isOwnerOf } from '../../domain/integration/refuseOwn.ts';
import type { EndpointHealth } from '../../domain/webhook/endpoint/endpointHealth.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { IntegrationType } from '../integration/integrationTypes.ts';
import { EndpointHealthType } from '../webhook/webhookEndpointTypes.ts';
import {
  AdministeredWebhookEndpointConnectionType,
  AdministeredWebhookEndpointType,
  EndpointDecisionInput,
  EndpointViewEnum,
} from './administeredEndpointTypes.ts';
import { OperatorType } from './operatorTypes.ts';

@Resolver(() => AdministeredWebhookEndpointType)
export class AdministeredEndpointResolver {
  @Query(() => AdministeredWebhookEndpointConnectionType, {
    description:
      'For administrators: endpoints that only fail, those that have failed for longest first, or those that administrators have paused.',
  })
  async failingWebhookEndpoints(
    @Arg('view', () => EndpointViewEnum, { defaultValue: 'failing' }) view: EndpointView,
    @First(50) first: number,
    @After() after: AfterCursor,
    @Ctx() { em }: PortalContext,
  ): Promise<AdministeredWebhookEndpointConnectionType> {
    return failingWebhookEndpoints(em, { view, first, after });
  }

  @Mutation(() => AdministeredWebhookEndpointType, {
    description: 'For administrators: pauses anybody’s endpoint but their own. Its deliveries are held until an administrator resumes it.',
  })
  pauseAnyWebhookEndpoint(
    @Arg('input', () => EndpointDecisionInput) input: EndpointDecisionInput,
    @Ctx() context: PortalContext,
  ): Promise<AdministeredEndpoint> {
    return pauseAnyWebhookEndpoint(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => AdministeredWebhookEndpointType, { description: 'For administrators: ends an administrator’s pause.' })
  resumeAnyWebhookEndpoint(
    @Arg('input', () => EndpointDecisionInput) input: EndpointDecisionInput,
    @Ctx() context: PortalContext,
  ): Promise<AdministeredEndpoint> {
    return resumeAnyWebhookEndpoint(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @FieldResolver(() => EndpointHealthType)
  health(@Root() { number }: AdministeredEndpoint, @Ctx() { loaders }: PortalContext): Promise<EndpointHealth> {
    return loaders.endpointHealth.load(number);
  }

  @FieldResolver(() => IntegrationType)
  integration(@Root() { integrationId }: AdministeredEndpoint, @Ctx() { loaders }: PortalContext): Promise<Integration> {
    return loaders.integration.load(integrationId);
  }

  @FieldResolver(() => OperatorType)
  async owner(@Root() { integrationId }: AdministeredEndpoint, @Ctx() { loaders }: PortalContext): Promise<OperatorRecord> {
    return loaders.operator.load((await loaders.integration.load(integrationId)).operatorId);
  }

  @FieldResolver(() => Boolean, { description: 'Whether it is the viewer’s own; then another administrator decides about it.' })
  async own(@Root() { integrationId }: AdministeredEndpoint, @Ctx() context: PortalContext): Promise<boolean> {
    return isOwnerOf(await context.loaders.integration.load(integrationId), actorOf(context));
  }
}
