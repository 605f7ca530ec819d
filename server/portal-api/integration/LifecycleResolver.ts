import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { closedSince } from '../../domain/gate/serviceGate.ts';
import type { Integration } from '../../domain/integration/Integration.ts';
import { type IntegrationAction, phaseOf } from '../../domain/integration/integrationStatus.ts';
import { activateForProduction } from '../../domain/integration/status/activateForProduction.ts';
import { availableActions } from '../../domain/integration/status/availableActions.ts';
import type { SuspensionCause } from '../../domain/integration/status/statusTimeline.ts';
import type { ReviewRole } from '../../domain/review/ReviewSubmission.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { ReviewRoleEnum } from '../review/reviewTypes.ts';
import { IntegrationType } from './integrationTypes.ts';
import {
  ActivateForProductionInput,
  IntegrationActionEnum,
  IntegrationPhasesType,
  OutstandingDeletionsType,
  ProductionGateType,
  SuspensionCauseEnum,
  TimelineEntryType,
} from './lifecycleTypes.ts';

@Resolver(() => IntegrationType)
export class LifecycleResolver {
  @Mutation(() => IntegrationType, {
    description:
      'By the owner: makes an approved integration active, for the reviewed profile version. The production gate stays as it is.',
  })
  activateForProduction(
    @Arg('input', () => ActivateForProductionInput) input: ActivateForProductionInput,
    @Ctx() context: PortalContext,
  ): Promise<Integration> {
    return activateForProduction(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @FieldResolver(() => [IntegrationActionEnum], {
    description: 'What the viewer may do with the status now. An action can still be refused for other reasons, such as its checklist.',
  })
  availableActions(@Root() integration: Integration, @Ctx() context: PortalContext): IntegrationAction[] {
    return availableActions(integration, actorOf(context));
  }

  @FieldResolver(() => IntegrationPhasesType)
  phases(@Root() { status }: Integration): IntegrationPhasesType {
    return { sandbox: phaseOf(status, 'sandbox'), production: phaseOf(status, 'production') };
  }

  @FieldResolver(() => ProductionGateType, { description: 'The integration’s own gate.' })
  productionGate(@Root() integration: Integration): ProductionGateType {
    return {
      open: integration.productionGateOpen,
      reason: integration.productionGateReason ?? null,
      changedAt: integration.productionGateChangedAt ?? null,
    };
  }

  @FieldResolver(() => ProductionGateType, { nullable: true, description: 'The gate of the whole service; absent before an approval.' })
  async serviceGate(
    @Root() { reviewedProfileVersion }: Integration,
    @Ctx() { loaders }: PortalContext,
  ): Promise<ProductionGateType | null> {
    return reviewedProfileVersion ? loaders.serviceGate.load('service') : null;
  }

  @FieldResolver(() => Boolean, { description: 'Whether both gates are open: the integration’s own and the service’s.' })
  async productionDataEnabled(@Root() { productionGateOpen }: Integration, @Ctx() { loaders }: PortalContext): Promise<boolean> {
    return productionGateOpen && (await loaders.serviceGate.load('service')).open;
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description: 'Since when a closed gate stops production data; absent while both are open, and if the own one has never been open.',
  })
  async productionDataStoppedAt(@Root() integration: Integration, @Ctx() { loaders }: PortalContext): Promise<Date | null> {
    const own = { open: integration.productionGateOpen, changedAt: integration.productionGateChangedAt ?? null };
    return closedSince(own, await loaders.serviceGate.load('service'));
  }

  @FieldResolver(() => ReviewRoleEnum, { nullable: true, description: 'Whose turn the review is; absent when there is none.' })
  reviewWaitsFor(@Root() { id }: Integration, @Ctx() { loaders }: PortalContext): Promise<ReviewRole | null> {
    return loaders.reviewTurn.load(id);
  }

  @FieldResolver(() => SuspensionCauseEnum, { nullable: true, description: 'Why the integration is suspended; absent if it is not.' })
  async suspendedFor(@Root() { id, status }: Integration, @Ctx() { loaders }: PortalContext): Promise<SuspensionCause | null> {
    return status === 'suspended' ? loaders.suspendedFor.load(id) : null;
  }

  @FieldResolver(() => OutstandingDeletionsType, { description: 'Production deletions that were neither acknowledged nor recorded.' })
  outstandingDeletions(@Root() { id }: Integration, @Ctx() { loaders, clock }: PortalContext): Promise<OutstandingDeletionsType> {
    return loaders.outstandingDeletions.load({ integrationId: id, now: clock.now() });
  }

  @FieldResolver(() => [TimelineEntryType], { description: 'The latest changes of its status and gate, newest first, at most 50.' })
  timeline(@Root() { id }: Integration, @Ctx() { loaders }: PortalContext): Promise<TimelineEntryType[]> {
    return loaders.timeline.load(id);
  }

  @FieldResolver(() => [TimelineEntryType], {
    description:
      'The latest change of each kind of its status and gate, newest first, however long ago. What is not here has never happened.',
  })
  latestSteps(@Root() { id }: Integration, @Ctx() { loaders }: PortalContext): Promise<TimelineEntryType[]> {
    return loaders.latestSteps.load(id);
  }
}
