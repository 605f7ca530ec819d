import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { DeliveryState } from '../../domain/outbox/deliveryStatus.ts';
import type { WebhookEventType } from '../../domain/outbox/eventTypes.ts';
import { DeliveryStateEnum } from './deliveryTypes.ts';
import { WebhookEventTypeEnum } from './webhookEndpointTypes.ts';

/** What every filter for deliveries that an owner acts on together has. It is no type of the schema by itself. */
@InputType()
class SelectionFilterInput {
  @Field(() => [ID], { nullable: true, description: 'Only these, at most 100.' })
  deliveryIds?: string[] | null;
  @Field(() => [WebhookEventTypeEnum], { nullable: true })
  types?: WebhookEventType[] | null;
  @Field(() => Date, { nullable: true, description: 'Stored at this moment or later.' })
  from?: Date | null;
  @Field(() => Date, { nullable: true, description: 'Stored before this moment.' })
  to?: Date | null;
}

/** What every count of such deliveries has. It is no type of the schema by itself. */
@ObjectType()
class SelectionCountType {
  @Field(() => Int)
  count!: number;
  @Field(() => Boolean, { description: 'There are more than can be taken at once. Choose a narrower filter.' })
  tooMany!: boolean;
  @Field(() => Date, { description: 'The moment of the count. What comes later is not included.' })
  until!: Date;
}

@InputType({ description: 'Which of an endpoint’s deliveries to replay. Without states, the dead letters.' })
export class ReplayFilterInput extends SelectionFilterInput {
  @Field(() => [DeliveryStateEnum], { nullable: true, description: 'Of delivered and dead.' })
  states?: DeliveryState[] | null;
  @Field(() => Boolean, { nullable: true, description: 'Only events that this endpoint never received.' })
  undelivered?: boolean | null;
}

@InputType({ description: 'Which of an endpoint’s waiting deliveries to attempt at once. Without anything, all of them.' })
export class WaitingFilterInput extends SelectionFilterInput {}

@ObjectType('ReplayCount', { description: 'What a filter finds at one moment. Deliveries that a replay has replaced are not counted.' })
export class ReplayCountType extends SelectionCountType {
  @Field(() => String, { description: 'Identifies exactly these deliveries; pass it to replayDeliveries.' })
  selectionDigest!: string;
}

@ObjectType('WaitingCount', { description: 'How many deliveries wait for a later attempt at one moment.' })
export class WaitingCountType extends SelectionCountType {}

@InputType()
export class ReplayDeliveryInput {
  @Field(() => ID)
  deliveryId!: string;
}

@InputType()
export class ReplayDeliveriesInput {
  @Field(() => ID)
  endpointId!: string;
  @Field(() => ReplayFilterInput)
  filter!: ReplayFilterInput;
  @Field(() => Date, { description: 'The moment from replayCount.' })
  until!: Date;
  @Field(() => Int, { description: 'The count from replayCount, at most 10,000. If it has changed since, nothing is replayed.' })
  expectedCount!: number;
  @Field(() => String, { description: 'The digest from replayCount. If the filter finds other deliveries by now, nothing is replayed.' })
  selectionDigest!: string;
}

@ObjectType('WebhookReplay', { description: 'An order to replay many deliveries, and how far a worker has come with it.' })
export class WebhookReplayType {
  @Field(() => ID)
  id!: string;
  @Field(() => Int)
  count!: number;
  @Field(() => Int, { description: 'How many it has made so far. What was replayed otherwise meanwhile is left out.' })
  replayed!: number;
  @Field(() => Date)
  orderedAt!: Date;
  @Field(() => Date, { nullable: true })
  finishedAt!: Date | null;
}

@InputType()
export class AttemptDeliveryInput {
  @Field(() => ID)
  deliveryId!: string;
}

@InputType()
export class AttemptDeliveriesInput {
  @Field(() => ID)
  endpointId!: string;
  @Field(() => WaitingFilterInput)
  filter!: WaitingFilterInput;
  @Field(() => Date, { description: 'The moment from waitingCount.' })
  until!: Date;
  @Field(() => Int, { description: 'The count from waitingCount, at most 10,000. If more wait by now, nothing is attempted.' })
  expectedCount!: number;
}
