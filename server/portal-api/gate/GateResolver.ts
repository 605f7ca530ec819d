import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { closeProductionGate } from '../../domain/gate/closeProductionGate.ts';
import { gateHistory } from '../../domain/gate/gateHistory.ts';
import { openProductionGate } from '../../domain/gate/openProductionGate.ts';
import { productionIntegrations } from '../../domain/gate/productionIntegrations.ts';
import type { ProductionStatus } from '../../domain/integration/integrationFacts.ts';
import { serviceGate } from '../../domain/gate/serviceGate.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { ProductionGateType } from '../integration/lifecycleTypes.ts';
import { GateChangeConnectionType, GatedStatusEnum, GateDecisionInput, ProductionIntegrationConnectionType } from './gateTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

@Resolver()
export class GateResolver {
  @Query(() => ProductionGateType, { description: 'The gate of the whole service, as it stands.' })
  serviceGate(@Ctx() { em }: PortalContext): Promise<ProductionGateType> {
    return serviceGate(em);
  }

  @Query(() => GateChangeConnectionType, { description: 'For administrators: every change of the service’s gate, newest first.' })
  async serviceGateHistory(
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() { em }: PortalContext,
  ): Promise<GateChangeConnectionType> {
    return gateHistory(em, { first, after });
  }

  @Query(() => ProductionIntegrationConnectionType, {
    description: 'For administrators: the integrations in whose status a gate has an effect, newest first.',
  })
  async productionIntegrations(
    @Arg('status', () => GatedStatusEnum, { nullable: true, description: 'If omitted, all of these.' }) status:
      | ProductionStatus
      | null
      | undefined,
    @Arg('open', () => Boolean, { nullable: true, description: 'Whether their own gate is open.' }) open: boolean | null | undefined,
    @Arg('search', () => String, { nullable: true, description: 'Part of a name, slug or address, or any complete identifier.' })
    search: string | null | undefined,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() { em }: PortalContext,
  ): Promise<ProductionIntegrationConnectionType> {
    return productionIntegrations(em, {
      status: status ?? null,
      open: open ?? null,
      search: search ?? null,
      first,
      after,
    });
  }

  @Mutation(() => ProductionGateType, { description: 'For administrators: opens the service’s gate, or that of one integration.' })
  openProductionGate(
    @Arg('input', () => GateDecisionInput) { integrationId = null, reason }: GateDecisionInput,
    @Ctx() context: PortalContext,
  ): Promise<ProductionGateType> {
    return openProductionGate(context.em, { actor: actorOf(context), integrationId, reason, now: context.clock.now() });
  }

  @Mutation(() => ProductionGateType, {
    description: 'For administrators: closes the service’s gate, or that of one integration, at once.',
  })
  closeProductionGate(
    @Arg('input', () => GateDecisionInput) { integrationId = null, reason }: GateDecisionInput,
    @Ctx() context: PortalContext,
  ): Promise<ProductionGateType> {
    return closeProductionGate(context.em, { actor: actorOf(context), integrationId, reason, now: context.clock.now() });
  }
}
