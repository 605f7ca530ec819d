import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { Environment } from '../../domain/shared/environment.ts';
import type { DeliveryReason } from '../../domain/outbox/deliveryFacts.ts';
import { deliveryStates, type DeliveryState } from '../../domain/outbox/deliveryStatus.ts';
import type { WebhookEventType } from '../../domain/outbox/eventTypes.ts';
import { chartPeriodNames } from '../../domain/webhook/history/attemptHistory.ts';
import type { PayloadMode } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import type { OutboundErrorKind } from '../../domain/webhook/WebhookTransport.ts';
import { connectionOf } from '../connection.ts';
import { enumType, storedEnumType } from '../enumType.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';
import { PayloadModeEnum, WebhookEventTypeEnum } from './webhookEndpointTypes.ts';

export const DeliveryStateEnum = storedEnumType(
  'DeliveryState',
  deliveryStates,
  'Pending: waits for its next attempt. Held: attempted once what holds it has ended. Dead: a dead letter, which can be replayed.',
);
export const ChartPeriodEnum = enumType('ChartPeriod', chartPeriodNames);

@ObjectType('WebhookEvent', { description: 'What happened, as references. The names that its type does not have are null.' })
class WebhookEventObjectType {
  @Field(() => ID, { description: 'As in the envelope and in X-SVC-Event-ID. Replays keep it.' })
  id!: string;
  @Field(() => WebhookEventTypeEnum)
  type!: WebhookEventType;
  @Field(() => Date)
  occurredAt!: Date;
  @Field(() => Date)
  expiresAt!: Date;
  @Field(() => ID, { nullable: true })
  connectionId!: string | null;
  @Field(() => ID, { nullable: true })
  resourceId!: string | null;
  @Field(() => ID, { nullable: true })
  revocationId!: string | null;
  @Field(() => ID, { nullable: true })
  generationId!: string | null;
  @Field(() => Boolean, { description: 'Its owner asked for it with sendTestEvent. The receiver is not told.' })
  test!: boolean;
  @Field(() => EnvironmentEnum, {
    nullable: true,
    description: 'Where it happened; its endpoint may have moved since. Null once the event is no longer kept.',
  })
  environment!: Environment | null;
}

@ObjectType('WebhookFailureCause', { description: 'Why an event did not reach its receiver.' })
export class FailureCauseType {
  @Field(() => String, { description: 'In two or three words.' })
  title!: string;
  @Field(() => String, { description: 'What happened, as a sentence.' })
  what!: string;
  @Field(() => String, { nullable: true, description: 'The step that helps, where there is one.' })
  next!: string | null;
}

@ObjectType('WebhookAttempt', {
  description: 'One attempt at a delivery. A duration is null where it did not come to the phase, or needed none.',
})
export class WebhookAttemptType {
  @Field(() => Int, { description: 'The first is 1.' })
  number!: number;
  @Field(() => Date)
  startedAt!: Date;
  @Field(() => Float, { nullable: true })
  dnsMs!: number | null;
  @Field(() => Float, { nullable: true })
  connectMs!: number | null;
  @Field(() => Float, { nullable: true })
  tlsMs!: number | null;
  @Field(() => Float, { nullable: true, description: 'From sending the request to the first byte of the answer.' })
  firstByteMs!: number | null;
  @Field(() => Float)
  totalMs!: number;
  @Field(() => String, { nullable: true })
  address!: string | null;
  @Field(() => Int, { nullable: true })
  status!: number | null;
  @Field(() => String, { nullable: true, description: 'What kept it from ending with an answer, such as `connect_timeout`.' })
  error!: OutboundErrorKind | null;
  @Field(() => String, { nullable: true, description: 'The first 2 KiB of the answer’s text.' })
  responseText!: string | null;
  @Field(() => String, { nullable: true, description: 'The kid of the key that signed it.' })
  keyId!: string | null;
  @Field(() => String, { nullable: true, description: 'Where it went. Administrators see its origin alone.' })
  url!: string | null;
  @Field(() => PayloadModeEnum, { nullable: true, description: 'The endpoint’s at that time.' })
  payloadMode!: PayloadMode | null;
  @Field(() => String, { nullable: true, description: 'The revision of the snapshot that it enclosed, if it enclosed one.' })
  revision!: string | null;
  @Field(() => String, { nullable: true, description: 'The SHA-256 of its body, in base64. Bodies that were sent are not kept.' })
  bodySha256!: string | null;
}

@ObjectType('WebhookLastAttempt', { description: 'What the last attempt at a delivery came to.' })
export class WebhookLastAttemptType {
  @Field(() => Int, { nullable: true, description: 'Null where no answer came.' })
  status!: number | null;
  @Field(() => String, { nullable: true, description: 'What kept it from ending with an answer, such as `connect_timeout`.' })
  error!: OutboundErrorKind | null;
  @Field(() => Float)
  totalMs!: number;
}

@ObjectType('WebhookBody', { description: 'The body of a delivery, made again, byte for byte.' })
class WebhookBodyType {
  @Field(() => String)
  text!: string;
  @Field(() => String, { description: 'In base64, to compare with that of an attempt.' })
  sha256!: string;
  @Field(() => String, { nullable: true, description: 'Of the snapshot that it encloses.' })
  revision!: string | null;
}

@ObjectType('WebhookBodies', { description: 'Bodies of a delivery, made again from its event.' })
export class WebhookBodiesType {
  @Field(() => WebhookBodyType, {
    nullable: true,
    description:
      'With references only: what every attempt without a snapshot sent. Null if the event or what it is about is no longer kept.',
  })
  notification!: WebhookBodyType | null;
  @Field(() => WebhookBodyType, { nullable: true, description: 'With the snapshot that would be sent now. Null unless one would be.' })
  now!: WebhookBodyType | null;
}

@ObjectType('WebhookFailureGroup', { description: 'The dead letters of an endpoint that ended alike, without those that were replayed.' })
export class WebhookFailureGroupType {
  @Field(() => String, { nullable: true, description: 'Why they are dead letters, such as `terminal_status`.' })
  reason!: DeliveryReason | null;
  @Field(() => Int, { nullable: true, description: 'What the last attempt was answered with.' })
  status!: number | null;
  @Field(() => String, { nullable: true, description: 'What kept the last attempt from an answer, such as `connect_timeout`.' })
  error!: OutboundErrorKind | null;
  @Field(() => Int)
  count!: number;
  @Field(() => Date)
  firstAt!: Date;
  @Field(() => Date)
  lastAt!: Date;
}

@ObjectType('WebhookDelivery', { description: 'One event for one endpoint, with all attempts at it.' })
export class WebhookDeliveryType {
  @Field(() => ID)
  id!: string;
  @Field(() => WebhookEventObjectType)
  event!: WebhookEventObjectType;
  @Field(() => DeliveryStateEnum)
  state!: DeliveryState;
  @Field(() => String, {
    nullable: true,
    description: 'Why it is held, or why it ended without being delivered, as a code such as `gate_closed` or `terminal_status`.',
  })
  reason!: DeliveryReason | null;
  @Field(() => Int)
  attemptsCount!: number;
  @Field(() => Date, { nullable: true, description: 'While it is pending.' })
  nextAttemptAt!: Date | null;
  @Field(() => Boolean, { description: 'The receiver itself has asked to wait until then, by `Retry-After`.' })
  waitAsked!: boolean;
  @Field(() => Date, { description: 'Until when it is attempted.' })
  windowEndsAt!: Date;
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date, { nullable: true })
  finishedAt!: Date | null;
  @Field(() => ID, { nullable: true, description: 'The delivery that it repeats.' })
  replayOf!: string | null;
  @Field(() => Date, { nullable: true, description: 'Since when a later delivery of the same event stands for it.' })
  replayedAt!: Date | null;
}

@ObjectType('WebhookDeliveryConnection')
export class WebhookDeliveryConnectionType extends connectionOf('WebhookDelivery', () => WebhookDeliveryType) {}

@ObjectType('AttemptBucket', { description: 'The attempts of one part of a chart.' })
export class AttemptBucketType {
  @Field(() => Date)
  from!: Date;
  @Field(() => Int)
  delivered!: number;
  @Field(() => Int, { description: 'Failed attempts that were, or will be, followed by another one.' })
  retried!: number;
  @Field(() => Int, { description: 'Failed attempts that were the last one.' })
  dead!: number;
  @Field(() => Int, { nullable: true, description: 'Half of the attempts took at most so many milliseconds, estimated from a histogram.' })
  p50Ms!: number | null;
  @Field(() => Int, { nullable: true, description: '95% of the attempts took at most so many milliseconds.' })
  p95Ms!: number | null;
}
