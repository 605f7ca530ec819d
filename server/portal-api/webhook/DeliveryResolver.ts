import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { DeliveryState } from '../../domain/outbox/deliveryStatus.ts';
import type { WebhookEndpoint } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import type { WebhookEventType } from '../../domain/outbox/eventTypes.ts';
import { attemptHistory, type AttemptBucket, type ChartPeriod } from '../../domain/webhook/history/attemptHistory.ts';
import type { Attempt, LastAttempt } from '../../domain/webhook/history/attemptsOf.ts';
import { deliveryBodies, type DeliveryBodies } from '../../domain/webhook/history/deliveryBodies.ts';
import { deliveriesOf, type Delivery } from '../../domain/webhook/history/deliveries.ts';
import { failureGroups, type FailureGroup } from '../../domain/webhook/history/failureGroups.ts';
import { ownDelivery, replaysOf } from '../../domain/webhook/history/ownDelivery.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import {
  AttemptBucketType,
  ChartPeriodEnum,
  DeliveryStateEnum,
  WebhookAttemptType,
  WebhookBodiesType,
  WebhookDeliveryConnectionType,
  WebhookDeliveryType,
  WebhookFailureGroupType,
  WebhookLastAttemptType,
} from './deliveryTypes.ts';
import { refuseUnlessViewersOwn } from './viewersEndpoint.ts';
import { WebhookEndpointType, WebhookEventTypeEnum } from './webhookEndpointTypes.ts';

@Resolver(() => WebhookEndpointType)
export class EndpointDeliveriesResolver {
  @FieldResolver(() => WebhookDeliveryConnectionType, {
    description: 'For its owner: what was delivered to the endpoint in the last 30 days, or is to be, newest first.',
  })
  async deliveries(
    @Root() endpoint: WebhookEndpoint,
    @Arg('states', () => [DeliveryStateEnum], { nullable: true, description: 'If omitted or empty, all of them.' })
    states: DeliveryState[] | null | undefined,
    @Arg('types', () => [WebhookEventTypeEnum], { nullable: true, description: 'If omitted or empty, all of them.' })
    types: WebhookEventType[] | null | undefined,
    @Arg('from', () => Date, { nullable: true, description: 'Stored at this moment or later.' }) from: Date | null | undefined,
    @Arg('to', () => Date, { nullable: true, description: 'Stored before this moment.' }) to: Date | null | undefined,
    @Arg('eventId', () => ID, { nullable: true }) eventId: string | null | undefined,
    @Arg('resourceId', () => ID, { nullable: true, description: 'The newest 1,000 events of this resource.' })
    resourceId: string | null | undefined,
    @Arg('undelivered', () => Boolean, {
      nullable: true,
      description: 'Only events that this endpoint never received, each once: a delivery that was replayed is represented by its replay.',
    })
    undelivered: boolean | null | undefined,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<WebhookDeliveryConnectionType> {
    await refuseUnlessViewersOwn(endpoint, context);
    const filter = {
      states: states ?? null,
      types: types ?? null,
      from: from ?? null,
      to: to ?? null,
      eventId: eventId ?? null,
      resourceId: resourceId ?? null,
      undelivered: undelivered ?? null,
    };
    return deliveriesOf(context.em, { endpointNumber: endpoint.number, filter, first, after });
  }

  @FieldResolver(() => [WebhookFailureGroupType], {
    description: 'Its dead letters that have not been replayed, by what went wrong, the most frequent first. At most the last 1,000 count.',
    complexity: severalOf,
  })
  failureGroups(@Root() { number }: WebhookEndpoint, @Ctx() { em }: PortalContext): Promise<FailureGroup[]> {
    return failureGroups(em, number);
  }

  @FieldResolver(() => [AttemptBucketType], {
    description: 'Its attempts of the last day by the hour, or of the last week by a quarter of a day in UTC, oldest first.',
    complexity: severalOf,
  })
  attemptHistory(
    @Root() { number }: WebhookEndpoint,
    @Arg('period', () => ChartPeriodEnum, { defaultValue: 'day' }) period: ChartPeriod,
    @Ctx() { em, clock }: PortalContext,
  ): Promise<AttemptBucket[]> {
    return attemptHistory(em, { endpointNumber: number, period, now: clock.now() });
  }
}

@Resolver(() => WebhookDeliveryType)
export class DeliveryResolver {
  @Query(() => WebhookDeliveryType, { description: 'One delivery to one of the viewer’s own endpoints.' })
  webhookDelivery(@Arg('id', () => ID) id: string, @Ctx() context: PortalContext): Promise<Delivery> {
    return ownDelivery(context.em, actorOf(context).operatorId, id);
  }

  @FieldResolver(() => WebhookEndpointType)
  endpoint(@Root() { endpointNumber }: Delivery, @Ctx() { loaders }: PortalContext): Promise<WebhookEndpoint> {
    return loaders.webhookEndpoint.load(endpointNumber);
  }

  @FieldResolver(() => [WebhookAttemptType], { description: 'In order.', complexity: severalOf })
  async attempts(@Root() { number }: Delivery, @Ctx() { loaders, viewed }: PortalContext): Promise<Attempt[]> {
    const attempts = await loaders.deliveryAttempts.load(number);
    // What a receiver answers is for its owner alone.
    return viewed
      ? attempts.map((attempt) => ({ ...attempt, responseText: null, url: attempt.url && new URL(attempt.url).origin }))
      : attempts;
  }

  @FieldResolver(() => WebhookLastAttemptType, { nullable: true, description: 'Null before the first attempt.' })
  lastAttempt(@Root() { number }: Delivery, @Ctx() { loaders }: PortalContext): Promise<LastAttempt | null> {
    return loaders.lastAttempt.load(number);
  }

  @FieldResolver(() => WebhookBodiesType, {
    nullable: true,
    description: 'What was sent, and what would be sent now, made again. For its owner alone.',
    complexity: severalOf,
  })
  bodies(@Root() { number }: Delivery, @Ctx() { em, viewed, facts }: PortalContext): Promise<DeliveryBodies> | null {
    return viewed ? null : deliveryBodies(em, { number, source: new URL(facts.machineApiUrl).origin });
  }

  @FieldResolver(() => [WebhookDeliveryType], {
    description: 'The later replays of its event to the same endpoint, oldest first, at most 100.',
    complexity: severalOf,
  })
  replays(@Root() delivery: Delivery, @Ctx() { em }: PortalContext): Promise<Delivery[]> {
    return replaysOf(em, delivery);
  }
}
