import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { factsOf, statusesThat } from '../../domain/integration/integrationStatus.ts';
import { pauseWebhookEndpoint } from '../../domain/webhook/endpoint/pauseWebhookEndpoint.ts';
import { registerWebhookEndpoint } from '../../domain/webhook/endpoint/registerWebhookEndpoint.ts';
import { removeWebhookEndpoint } from '../../domain/webhook/endpoint/removeWebhookEndpoint.ts';
import { resumeWebhookEndpoint } from '../../domain/webhook/endpoint/resumeWebhookEndpoint.ts';
import { reviseWebhookEndpoint } from '../../domain/webhook/endpoint/reviseWebhookEndpoint.ts';
import type { WebhookEndpoint } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import { webhookLimits } from '../../domain/outbox/webhookLimits.ts';
import { actorOf, type PortalContext } from '../context.ts';
import {
  PauseWebhookEndpointInput,
  RegisterWebhookEndpointInput,
  RemoveWebhookEndpointInput,
  ResumeWebhookEndpointInput,
  ReviseWebhookEndpointInput,
} from './endpointInputs.ts';
import { WebhookEndpointType } from './webhookEndpointTypes.ts';

@Resolver()
export class EndpointCommandResolver {
  @Mutation(() => WebhookEndpointType, {
    description: `Needs a fresh passkey confirmation. Nothing is sent before verifyWebhookEndpoint has proven the URL. An integration has at most ${webhookLimits.webhookEndpoints} endpoints; production ones need an integration that is ${new Intl.ListFormat('en', { type: 'disjunction' }).format(statusesThat((status) => factsOf(status, 'production').endpoints === 'yes'))}.`,
  })
  registerWebhookEndpoint(
    @Arg('input', () => RegisterWebhookEndpointInput) input: RegisterWebhookEndpointInput,
    @Ctx() context: PortalContext,
  ): Promise<WebhookEndpoint> {
    return registerWebhookEndpoint(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => WebhookEndpointType, {
    description:
      'Needs a fresh passkey confirmation. After a change of URL or environment the endpoint is registered again, and its deliveries are held until it is proven. A change of environment also discards what waits.',
  })
  reviseWebhookEndpoint(
    @Arg('input', () => ReviseWebhookEndpointInput) input: ReviseWebhookEndpointInput,
    @Ctx() context: PortalContext,
  ): Promise<WebhookEndpoint> {
    const { endpointId, url, environment, payloadMode, eventTypes, description } = input;
    return reviseWebhookEndpoint(context.em, {
      actor: actorOf(context),
      endpointId,
      url: url ?? undefined,
      environment: environment ?? undefined,
      payloadMode: payloadMode ?? undefined,
      eventTypes: eventTypes ?? undefined,
      description: description ?? undefined,
      now: context.clock.now(),
    });
  }

  @Mutation(() => WebhookEndpointType, { description: 'Needs a fresh passkey confirmation. Deliveries are held until it is resumed.' })
  pauseWebhookEndpoint(
    @Arg('input', () => PauseWebhookEndpointInput) input: PauseWebhookEndpointInput,
    @Ctx() context: PortalContext,
  ): Promise<WebhookEndpoint> {
    return pauseWebhookEndpoint(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => WebhookEndpointType, {
    description: 'Needs a fresh passkey confirmation. What was held is due at once. Only an administrator ends an administrator’s pause.',
  })
  resumeWebhookEndpoint(
    @Arg('input', () => ResumeWebhookEndpointInput) input: ResumeWebhookEndpointInput,
    @Ctx() context: PortalContext,
  ): Promise<WebhookEndpoint> {
    return resumeWebhookEndpoint(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => WebhookEndpointType, {
    description: 'Needs a fresh passkey confirmation. What still waits is discarded; its history is kept for 30 days.',
  })
  removeWebhookEndpoint(
    @Arg('input', () => RemoveWebhookEndpointInput) input: RemoveWebhookEndpointInput,
    @Ctx() context: PortalContext,
  ): Promise<WebhookEndpoint> {
    return removeWebhookEndpoint(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }
}
