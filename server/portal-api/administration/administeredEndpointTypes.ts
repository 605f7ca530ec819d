import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { endpointViews } from '../../domain/administration/failingWebhookEndpoints.ts';
import type { Environment } from '../../domain/shared/environment.ts';
import type { pausers, payloadModes } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import type { WebhookEndpointStatus } from '../../domain/outbox/webhookEndpointStatus.ts';
import { connectionOf } from '../connection.ts';
import { enumType } from '../enumType.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';
import { PayloadModeEnum, WebhookEndpointStatusEnum, WebhookPauserEnum } from '../webhook/webhookEndpointTypes.ts';

export const EndpointViewEnum = enumType(
  'EndpointView',
  endpointViews,
  'Failing: active, and every attempt has failed since a moment. Paused: by an administrator.',
);

@ObjectType('AdministeredWebhookEndpoint', {
  description: 'An endpoint as administrators see it. Its path and query may hold a secret, so only its host is shown.',
})
export class AdministeredWebhookEndpointType {
  @Field(() => ID)
  id!: string;
  @Field(() => EnvironmentEnum)
  environment!: Environment;
  @Field(() => String)
  host!: string;
  @Field(() => PayloadModeEnum)
  payloadMode!: (typeof payloadModes)[number];
  @Field(() => WebhookEndpointStatusEnum)
  status!: WebhookEndpointStatus;
  @Field(() => Date)
  statusChangedAt!: Date;
  @Field(() => WebhookPauserEnum, { nullable: true })
  pausedBy!: (typeof pausers)[number] | null;
  @Field(() => String, { nullable: true })
  pauseReason!: string | null;
}

@ObjectType('AdministeredWebhookEndpointConnection')
export class AdministeredWebhookEndpointConnectionType extends connectionOf(
  'AdministeredWebhookEndpoint',
  () => AdministeredWebhookEndpointType,
) {}

@InputType({ description: 'An administrator’s decision about an endpoint.' })
export class EndpointDecisionInput {
  @Field(() => ID)
  endpointId!: string;
  @Field(() => String, { description: '1 to 500 characters; the owner reads it.' })
  reason!: string;
}
