import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql';
import type { Integration } from '../../domain/integration/Integration.ts';
import { reactivateIntegration } from '../../domain/integration/status/reactivateIntegration.ts';
import { suspendIntegration } from '../../domain/integration/status/suspendIntegration.ts';
import { sandboxInSuspension } from '../../domain/notification/words/consequences.ts';
import { retireIntegration } from '../../domain/programme/retireIntegration.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { IntegrationType } from './integrationTypes.ts';

@InputType({ description: 'An administrator’s decision about an integration.' })
class AccessDecisionInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => String, { description: '1 to 500 characters; the owner sees it in the audit trail.' })
  reason!: string;
}

@InputType()
class RetireIntegrationInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => String, {
    nullable: true,
    description: 'An administrator’s reason, in 1 to 500 characters; the owner sees it in the audit trail.',
  })
  reason?: string | null;
}

@InputType({ description: 'An administrator’s decision to restore production access.' })
class ReactivateIntegrationInput extends AccessDecisionInput {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Needed where its owner has never activated it: that the administrator does so in their place.',
  })
  inPlaceOfOwner?: boolean | null;
}

@Resolver()
export class AccessResolver {
  @Mutation(() => IntegrationType, { description: `For administrators: stops production access at once. ${sandboxInSuspension}` })
  suspendIntegration(
    @Arg('input', () => AccessDecisionInput) input: AccessDecisionInput,
    @Ctx() context: PortalContext,
  ): Promise<Integration> {
    return suspendIntegration(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => IntegrationType, {
    description: 'For administrators: restores a suspended integration’s production access, if its owner has accepted the current terms.',
  })
  reactivateIntegration(
    @Arg('input', () => ReactivateIntegrationInput) input: ReactivateIntegrationInput,
    @Ctx() context: PortalContext,
  ): Promise<Integration> {
    return reactivateIntegration(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => IntegrationType, {
    description:
      'For owners and administrators: retires an integration for good. Certificates and connections are revoked, and the slug is never used again.',
  })
  retireIntegration(
    @Arg('input', () => RetireIntegrationInput) { integrationId, reason }: RetireIntegrationInput,
    @Ctx() context: PortalContext,
  ): Promise<Integration> {
    return retireIntegration(context.em, { actor: actorOf(context), integrationId, reason: reason ?? null, now: context.clock.now() });
  }
}
