import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { webhookEventTypes, type WebhookEventType } from '../../domain/outbox/eventTypes.ts';
import { pausers, payloadModes } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import { webhookEndpointStatuses, type WebhookEndpointStatus } from '../../domain/outbox/webhookEndpointStatus.ts';
import { enumType, storedEnumType } from '../enumType.ts';

export const WebhookEndpointStatusEnum = storedEnumType(
  'WebhookEndpointStatus',
  webhookEndpointStatuses,
  'Registered: its present URL has not been proven.',
);
export const PayloadModeEnum = enumType('PayloadMode', payloadModes);
export const WebhookPauserEnum = storedEnumType('WebhookPauser', pausers);

/** Names cannot have dots. */
export const WebhookEventTypeEnum = Object.fromEntries([...webhookEventTypes, 'unknown'].map((type) => [type.replaceAll('.', '_'), type]));
registerEnumType(WebhookEventTypeEnum, { name: 'WebhookEventType', description: 'The types of events, with an underscore for the dot.' });

@ObjectType('WebhookEndpoint', { description: 'Where an integration’s events are delivered in one environment.' })
export class WebhookEndpointType {
  @Field(() => ID)
  id!: string;
  @Field(() => PayloadModeEnum)
  payloadMode!: (typeof payloadModes)[number];
  @Field(() => [WebhookEventTypeEnum])
  eventTypes!: WebhookEventType[];
  @Field(() => String)
  description!: string;
  @Field(() => WebhookEndpointStatusEnum)
  status!: WebhookEndpointStatus;
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When the present URL was proven.' })
  provenAt!: Date | null;
  @Field(() => Date)
  statusChangedAt!: Date;
  @Field(() => WebhookPauserEnum, {
    nullable: true,
    description: 'While it is paused. Only an administrator ends an administrator’s pause.',
  })
  pausedBy!: (typeof pausers)[number] | null;
  @Field(() => String, { nullable: true })
  pauseReason!: string | null;
  @Field(() => Date, { nullable: true, description: 'It is remembered for 30 days after its removal.' })
  removedAt!: Date | null;
}

@ObjectType('EndpointHealth', { description: 'How an endpoint is at this moment. Nothing is counted beyond 1,000.' })
export class EndpointHealthType {
  @Field(() => Date, { nullable: true })
  lastSuccessAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'Since when every attempt has failed. Null if the last one succeeded.' })
  failingSince!: Date | null;
  @Field(() => Int)
  failuresInRow!: number;
  @Field(() => Int, { description: 'Deliveries that wait for their next attempt.' })
  waiting!: number;
  @Field(() => Int)
  held!: number;
  @Field(() => Int, { description: 'Dead letters that no replay has replaced.' })
  dead!: number;
  @Field(() => Date, { nullable: true, description: 'When the next attempt at any of its deliveries is due.' })
  nextAttemptAt!: Date | null;
}
