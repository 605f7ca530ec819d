import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { limits } from '../../domain/shared/limits.ts';
import { spanWords } from '../../domain/shared/text/spanWords.ts';
import { regenerateSandboxCorpus } from '../../domain/sandbox/corpus/regenerateSandboxCorpus.ts';
import { addSandboxShippingEvent } from '../../domain/sandbox/event/addSandboxShippingEvent.ts';
import { advanceSandboxResource } from '../../domain/sandbox/event/advanceSandboxResource.ts';
import { generateSandboxLinkCode } from '../../domain/sandbox/event/generateSandboxLinkCode.ts';
import { publishSandboxStatistics } from '../../domain/sandbox/event/publishSandboxStatistics.ts';
import { revokeSandboxShare } from '../../domain/sandbox/event/revokeSandboxShare.ts';
import type { SandboxCorpus } from '../../domain/sandbox/SandboxCorpus.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { SandboxCorpusType } from '../integration/integrationTypes.ts';
import {
  AddSandboxShippingEventInput,
  AdvanceSandboxResourceInput,
  GeneratedLinkCodeType,
  GenerateSandboxLinkCodeInput,
  PublishedSandboxStatisticsType,
  RevokeSandboxShareInput,
  SandboxChangeType,
  SandboxClientInput,
  SandboxRevocationType,
} from './simulatorTypes.ts';

/** What the viewer makes happen in their own sandbox. */
@Resolver()
export class SimulatorResolver {
  @Mutation(() => SandboxCorpusType, {
    description:
      'Queues new test data, which replaces everything that the sandbox shares. Old identifiers and cursors become invalid when it is ready.',
  })
  regenerateSandboxCorpus(
    @Arg('input', () => SandboxClientInput) { clientId }: SandboxClientInput,
    @Ctx() context: PortalContext,
  ): Promise<SandboxCorpus> {
    return regenerateSandboxCorpus(context.em, { actor: actorOf(context), clientId, now: context.clock.now() });
  }

  @Mutation(() => GeneratedLinkCodeType, {
    description: `Creates a link code for a new test user. It is valid for ${spanWords(limits.linkCodeLifetime)} and one redemption.`,
  })
  generateSandboxLinkCode(
    @Arg('input', () => GenerateSandboxLinkCodeInput) { scopes, ...input }: GenerateSandboxLinkCodeInput,
    @Ctx() context: PortalContext,
  ): Promise<GeneratedLinkCodeType> {
    return generateSandboxLinkCode(context.em, {
      actor: actorOf(context),
      ...input,
      scopes: scopes ?? null,
      lookupKeys: context.keyRing.lookup,
      now: context.clock.now(),
    });
  }

  @Mutation(() => [SandboxChangeType], { description: 'Advances resources to their next status.' })
  advanceSandboxResource(
    @Arg('input', () => AdvanceSandboxResourceInput) { resourceId, type, ...input }: AdvanceSandboxResourceInput,
    @Ctx() context: PortalContext,
  ): Promise<SandboxChangeType[]> {
    const chosen = { resourceId: resourceId ?? null, type: type ?? null };
    return advanceSandboxResource(context.em, { actor: actorOf(context), ...input, ...chosen, now: context.clock.now() });
  }

  @Mutation(() => [SandboxChangeType], { description: 'Adds an event to an order’s voyage; its status stays the same.' })
  addSandboxShippingEvent(
    @Arg('input', () => AddSandboxShippingEventInput) { at, ...input }: AddSandboxShippingEventInput,
    @Ctx() context: PortalContext,
  ): Promise<SandboxChangeType[]> {
    const now = context.clock.now();
    return addSandboxShippingEvent(context.em, { actor: actorOf(context), ...input, at: at ?? now, now });
  }

  @Mutation(() => SandboxRevocationType, { description: 'Revokes a resource or a connection, as a user would.' })
  revokeSandboxShare(
    @Arg('input', () => RevokeSandboxShareInput) { clientId, resourceId, connectionId }: RevokeSandboxShareInput,
    @Ctx() context: PortalContext,
  ): Promise<SandboxRevocationType> {
    const share = { resourceId: resourceId ?? null, connectionId: connectionId ?? null };
    return revokeSandboxShare(context.em, { actor: actorOf(context), clientId, ...share, now: context.clock.now() });
  }

  @Mutation(() => PublishedSandboxStatisticsType, { description: 'Publishes a statistics generation over the sandbox’s test users.' })
  publishSandboxStatistics(
    @Arg('input', () => SandboxClientInput) { clientId }: SandboxClientInput,
    @Ctx() context: PortalContext,
  ): Promise<PublishedSandboxStatisticsType> {
    return publishSandboxStatistics(context.em, { actor: actorOf(context), clientId, now: context.clock.now() });
  }
}
