import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { attemptDeliveries, waitingCount } from '../../domain/webhook/attempt/attemptDeliveries.ts';
import { attemptDelivery } from '../../domain/webhook/attempt/attemptDelivery.ts';
import type { Delivery } from '../../domain/webhook/history/deliveries.ts';
import type { SelectionCount } from '../../domain/webhook/history/selection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { WebhookDeliveryType } from './deliveryTypes.ts';
import { AttemptDeliveriesInput, AttemptDeliveryInput, WaitingCountType, WaitingFilterInput } from './selectionTypes.ts';

@Resolver()
export class AttemptResolver {
  @Query(() => WaitingCountType, { description: 'How many deliveries attemptDeliveries would have attempted with this filter.' })
  waitingCount(
    @Arg('endpointId', () => ID) endpointId: string,
    @Arg('filter', () => WaitingFilterInput, { nullable: true }) filter: WaitingFilterInput | null | undefined,
    @Ctx() context: PortalContext,
  ): Promise<SelectionCount> {
    return waitingCount(context.em, {
      operatorId: actorOf(context).operatorId,
      endpointId,
      filter: filter ?? {},
      now: context.clock.now(),
    });
  }

  @Mutation(() => WebhookDeliveryType, { description: 'Has a waiting delivery attempted at once, after the same checks as ever.' })
  attemptDelivery(
    @Arg('input', () => AttemptDeliveryInput) { deliveryId }: AttemptDeliveryInput,
    @Ctx() context: PortalContext,
  ): Promise<Delivery> {
    return attemptDelivery(context.em, { actor: actorOf(context), deliveryId, now: context.clock.now() });
  }

  @Mutation(() => Int, {
    description:
      'Has an endpoint’s waiting deliveries attempted at once, as far as the limits on attempts under way allow. Returns how many are due now.',
  })
  attemptDeliveries(
    @Arg('input', () => AttemptDeliveriesInput) input: AttemptDeliveriesInput,
    @Ctx() context: PortalContext,
  ): Promise<number> {
    return attemptDeliveries(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }
}
