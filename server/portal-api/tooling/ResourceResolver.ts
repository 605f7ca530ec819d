import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { withdrawTrackedResources } from '../../domain/sharing/revocation/withdrawTrackedResources.ts';
import { sharingClientOf } from '../../domain/sharing/sharingClient.ts';
import { publishStatisticsGeneration } from '../../domain/statistics/publishStatisticsGeneration.ts';
import { upsertTrackedResources } from '../../domain/tracking/upsertTrackedResources.ts';
import { toolingOf, type PortalContext } from '../context.ts';
import { withInputPaths } from './inputPaths.ts';
import {
  PublishStatisticsGenerationInput,
  PublishStatisticsGenerationPayload,
  UpsertTrackedResourcesInput,
  UpsertTrackedResourcesPayload,
  WithdrawTrackedResourcesInput,
  WithdrawTrackedResourcesPayload,
} from './resourceTypes.ts';

/** How the order-tracking service's tooling feeds resources. */
@Resolver()
export class ResourceResolver {
  @Mutation(() => UpsertTrackedResourcesPayload, {
    description:
      'Tooling, `resources.write`: stores the current state of orders and stock vehicles, either of all of them or of none. Computes their history and updates every feed in which they are shared. A newer version brings a withdrawn resource back, shared with nobody.',
  })
  upsertTrackedResources(
    @Arg('input', () => UpsertTrackedResourcesInput) { resources }: UpsertTrackedResourcesInput,
    @Ctx() context: PortalContext,
  ): Promise<UpsertTrackedResourcesPayload> {
    const { em, keyRing, clock, catalogue } = context;
    const batch = { actor: toolingOf(context), lookupKeys: keyRing.lookup, resources, catalogue, now: clock.now() };
    return withInputPaths(async () => upsertTrackedResources(em, batch));
  }

  @Mutation(() => WithdrawTrackedResourcesPayload, {
    description:
      'Tooling, `resources.write`: takes orders and stock vehicles out of the service. Their stored data is deleted, and every share of them is revoked, all in one transaction; integrations have seven days to delete their copies.',
  })
  withdrawTrackedResources(
    @Arg('input', () => WithdrawTrackedResourcesInput) { resources }: WithdrawTrackedResourcesInput,
    @Ctx() context: PortalContext,
  ): Promise<WithdrawTrackedResourcesPayload> {
    const { em, keyRing, clock } = context;
    const batch = { actor: toolingOf(context), lookupKeys: keyRing.lookup, resources, now: clock.now() };
    return withInputPaths(async () => withdrawTrackedResources(em, batch));
  }

  @Mutation(() => PublishStatisticsGenerationPayload, {
    description:
      'Tooling, `statistics.publish`: publishes the next generation of an integration’s aggregates over its own users who take part. No group of fewer than 20 users appears, and none changes by fewer than 20.',
  })
  async publishStatisticsGeneration(
    @Arg('input', () => PublishStatisticsGenerationInput) { integrationId }: PublishStatisticsGenerationInput,
    @Ctx() context: PortalContext,
  ): Promise<PublishStatisticsGenerationPayload> {
    const { em, clock } = context;
    const actor = toolingOf(context);
    const client = await sharingClientOf(em, integrationId, actor.environment);
    if (!client) throw new DomainError('not_found', { detail: 'There is no such integration.' });
    const tooling = { actor, integrationId: client.integrationId, operatorId: client.operatorId };
    const generation = await publishStatisticsGeneration(em, { clientNumber: client.number, now: clock.now(), tooling });
    return { generationId: generation?.generationId ?? null };
  }
}
