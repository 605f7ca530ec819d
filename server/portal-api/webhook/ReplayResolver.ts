import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { WebhookEndpoint } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import type { Delivery } from '../../domain/webhook/history/deliveries.ts';
import { replayCount, replayDeliveries, type ReplayCount } from '../../domain/webhook/replay/replayDeliveries.ts';
import { replayDelivery } from '../../domain/webhook/replay/replayDelivery.ts';
import { lastReplayOf, type ReplayOrder } from '../../domain/webhook/replay/replayOrder.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { WebhookDeliveryType } from './deliveryTypes.ts';
import { ReplayCountType, ReplayDeliveriesInput, ReplayDeliveryInput, ReplayFilterInput, WebhookReplayType } from './selectionTypes.ts';
import { WebhookEndpointType } from './webhookEndpointTypes.ts';

@Resolver(() => WebhookEndpointType)
export class ReplayResolver {
  @Query(() => ReplayCountType, { description: 'How many deliveries replayDeliveries would replay with this filter.' })
  replayCount(
    @Arg('endpointId', () => ID) endpointId: string,
    @Arg('filter', () => ReplayFilterInput, { nullable: true }) filter: ReplayFilterInput | null | undefined,
    @Ctx() context: PortalContext,
  ): Promise<ReplayCount> {
    return replayCount(context.em, { operatorId: actorOf(context).operatorId, endpointId, filter: filter ?? {}, now: context.clock.now() });
  }

  @Mutation(() => WebhookDeliveryType, {
    description:
      'Delivers an event once more: the same event in a new delivery, with a window of 24 hours. While one of its deliveries is waiting, that one is returned.',
  })
  replayDelivery(
    @Arg('input', () => ReplayDeliveryInput) { deliveryId }: ReplayDeliveryInput,
    @Ctx() context: PortalContext,
  ): Promise<Delivery> {
    return replayDelivery(context.em, { actor: actorOf(context), deliveryId, now: context.clock.now() });
  }

  @Mutation(() => WebhookReplayType, {
    description: 'Orders the replay of exactly those deliveries that a filter found when they were counted; a worker carries it out.',
  })
  replayDeliveries(
    @Arg('input', () => ReplayDeliveriesInput) input: ReplayDeliveriesInput,
    @Ctx() context: PortalContext,
  ): Promise<ReplayOrder> {
    return replayDeliveries(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @FieldResolver(() => WebhookReplayType, { nullable: true, description: 'The last order to replay many deliveries.' })
  lastReplay(@Root() { number }: WebhookEndpoint, @Ctx() { em }: PortalContext): Promise<ReplayOrder | null> {
    return lastReplayOf(em, number);
  }
}
