import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { healthCounts } from '../../domain/attention/ownHealth.ts';
import { type AttentionSum, deletionsInAll } from '../../domain/attention/viewerAttention.ts';
import { attentionOf } from '../../domain/attention/attentionOf.ts';
import type { IntegrationFacts } from '../../domain/attention/facts/IntegrationFacts.ts';
import { healthOf } from '../../domain/attention/healthOf.ts';
import { nextStep } from '../../domain/attention/nextStep.ts';
import type { AttentionItem } from '../../domain/notification/words/AttentionItem.ts';
import { attentionTopics, type AttentionLevel } from '../../domain/notification/words/attentionKinds.ts';
import type { Integration } from '../../domain/integration/Integration.ts';
import type { Environment } from '../../domain/shared/environment.ts';
import { ViewerType } from '../account/accountTypes.ts';
import type { PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import { EnvironmentEnum, IntegrationType } from '../integration/integrationTypes.ts';
import { AttentionItemType, AttentionLevelEnum, DeletionsInAllType, HealthCountType, HealthType, NextStepType } from './attentionTypes.ts';

/** What needs an integration’s owner, and how it is. */
@Resolver(() => IntegrationType)
export class IntegrationAttentionResolver {
  @FieldResolver(() => [AttentionItemType], { complexity: severalOf, description: 'What it needs of its owner, the most urgent first.' })
  async attention(@Root() integration: Integration, @Ctx() context: PortalContext): Promise<AttentionItem[]> {
    return attentionOf(await factsOf(integration, context));
  }

  @FieldResolver(() => HealthType, { description: 'How it is in one environment.' })
  async health(
    @Arg('environment', () => EnvironmentEnum) environment: Environment,
    @Root() integration: Integration,
    @Ctx() context: PortalContext,
  ): Promise<HealthType> {
    return healthOf(await factsOf(integration, context), environment);
  }

  @FieldResolver(() => NextStepType, { nullable: true, description: 'Null where there is nothing to do and nothing to wait for.' })
  async nextStep(@Root() integration: Integration, @Ctx() context: PortalContext): Promise<NextStepType | null> {
    return nextStep(await factsOf(integration, context));
  }
}

@Resolver(() => AttentionItemType)
export class AttentionItemResolver {
  @FieldResolver(() => String, { description: 'What it is about, in the words in which its reader looks for it.' })
  topic(@Root() { kind }: AttentionItemType): string {
    return attentionTopics[kind];
  }
}

/** What needs the viewer, as an owner and by their roles. */
@Resolver(() => ViewerType)
export class ViewerAttentionResolver {
  @FieldResolver(() => [AttentionItemType], {
    complexity: severalOf,
    description: 'What needs the viewer: their integrations, and, for staff, what their roles ask. The most urgent first, at most 100.',
  })
  async attention(@Root() viewer: ViewerType, @Ctx() context: PortalContext): Promise<AttentionItem[]> {
    return (await needsOf(viewer, context)).slice(0, 100);
  }

  @FieldResolver(() => DeletionsInAllType, {
    description: 'Everything that has to be deleted for the viewer’s integrations, retired ones too.',
  })
  async deletionsToDo(@Root() viewer: ViewerType, @Ctx() context: PortalContext): Promise<DeletionsInAllType> {
    return deletionsInAll(await needsOf(viewer, context));
  }

  @FieldResolver(() => [HealthCountType], { description: 'How many of the viewer’s integrations are of each health, the gravest first.' })
  async healthCounts(@Root() { operatorId }: ViewerType, @Ctx() { loaders, clock }: PortalContext): Promise<HealthCountType[]> {
    return operatorId === null ? [] : healthCounts(await loaders.ownFacts.load({ operatorId, now: clock.now() }));
  }

  @FieldResolver(() => Int, { description: 'How many things need the viewer, of the submissions that wait for reviewers at most 100.' })
  async attentionCount(@Root() viewer: ViewerType, @Ctx() context: PortalContext): Promise<number> {
    return (await sumOf(viewer, context)).count;
  }

  @FieldResolver(() => AttentionLevelEnum, { nullable: true, description: 'How much the most pressing of them matters.' })
  async attentionLevel(@Root() viewer: ViewerType, @Ctx() context: PortalContext): Promise<AttentionLevel | null> {
    return (await sumOf(viewer, context)).level;
  }
}

function factsOf({ id }: Integration, { loaders, clock }: PortalContext): Promise<IntegrationFacts> {
  return loaders.attentionFacts.load({ id, now: clock.now() });
}

/** Nobody who can only enrol a passkey is told anything about the account. */
function needsOf({ operatorId, roles }: ViewerType, { loaders, clock }: PortalContext): Promise<AttentionItem[]> | AttentionItem[] {
  return operatorId === null ? [] : loaders.viewerAttention.load({ operatorId, roles, now: clock.now() });
}

async function sumOf({ operatorId, roles }: ViewerType, { loaders, clock }: PortalContext): Promise<AttentionSum> {
  return operatorId === null ? { count: 0, level: null } : loaders.attentionSum.load({ operatorId, roles, now: clock.now() });
}
