import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { ReviewSubmission } from '../../domain/review/ReviewSubmission.ts';
import type { Environment } from '../../domain/shared/environment.ts';
import type { EndpointHealth } from '../../domain/webhook/endpoint/endpointHealth.ts';
import type { payloadModes, WebhookEndpoint } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import type { WebhookEventType } from '../../domain/outbox/eventTypes.ts';
import type { ReceiverCheck } from '../../domain/webhook/receiver-check/receiverChecks.ts';
import type { WebhookEndpointStatus } from '../../domain/outbox/webhookEndpointStatus.ts';
import type { PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';
import { ReceiverCheckType } from '../webhook/trialTypes.ts';
import { EndpointHealthType, PayloadModeEnum, WebhookEndpointStatusEnum, WebhookEventTypeEnum } from '../webhook/webhookEndpointTypes.ts';
import { SubmissionType } from './reviewTypes.ts';
import { webhookEndpointFacts } from '../../domain/outbox/webhookEndpointFacts.ts';
import { factsIn } from '../../domain/shared/lifecycle.ts';

@ObjectType('ReviewedWebhookEndpoint', {
  description: 'An endpoint as evidence in a review: how it is set up and how it does, but not where it is.',
})
class ReviewedWebhookEndpointType {
  @Field(() => PayloadModeEnum)
  payloadMode!: (typeof payloadModes)[number];
  @Field(() => [WebhookEventTypeEnum])
  eventTypes!: WebhookEventType[];
  @Field(() => WebhookEndpointStatusEnum)
  status!: WebhookEndpointStatus;
  @Field(() => Date, { nullable: true })
  provenAt!: Date | null;
}

@Resolver(() => SubmissionType)
export class SubmissionWebhooksResolver {
  @FieldResolver(() => [ReviewedWebhookEndpointType], {
    description: 'The integration’s webhook endpoints as they are now, to judge its webhook plan by.',
    complexity: severalOf,
  })
  async webhookEndpoints(@Root() { integrationId }: ReviewSubmission, @Ctx() { loaders }: PortalContext): Promise<WebhookEndpoint[]> {
    return (await loaders.webhookEndpoints.load(integrationId)).filter(
      ({ status }) => factsIn(webhookEndpointFacts, status).receives !== 'never',
    );
  }
}

@Resolver(() => ReviewedWebhookEndpointType)
export class ReviewedEndpointResolver {
  @FieldResolver(() => EnvironmentEnum)
  environment(@Root() { clientNumber }: WebhookEndpoint, @Ctx() { loaders }: PortalContext): Promise<Environment> {
    return loaders.environment.load(clientNumber);
  }

  @FieldResolver(() => EndpointHealthType)
  health(@Root() { number }: WebhookEndpoint, @Ctx() { loaders }: PortalContext): Promise<EndpointHealth> {
    return loaders.endpointHealth.load(number);
  }

  @FieldResolver(() => ReceiverCheckType, { nullable: true, description: 'The last check of its receiver, for its present URL.' })
  receiverCheck(@Root() { number }: WebhookEndpoint, @Ctx() { loaders, clock }: PortalContext): Promise<ReceiverCheck | null> {
    return loaders.receiverCheck.load({ endpointNumber: number, now: clock.now() });
  }
}
