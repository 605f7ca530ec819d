import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql';
import type { Integration } from '../../domain/integration/Integration.ts';
import { reactivateIntegration } from '../../domain/integration/reactivateIntegration.ts';
import { suspendIntegration } from '../../domain/integration/suspendIntegration.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { IntegrationType } from './integrationTypes.ts';

@InputType({ description: 'An administrator’s decision about an integration.' })
class AccessDecisionInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => String, { description: '1 to 500 characters; the owner reads it in the audit trail.' })
  reason!: string;
}

@Resolver()
export class AccessResolver {
  @Mutation(() => IntegrationType, { description: 'For administrators: stops production access at once. The sandbox goes on.' })
  suspendIntegration(
    @Arg('input', () => AccessDecisionInput) input: AccessDecisionInput,
    @Ctx() context: PortalContext,
  ): Promise<Integration> {
    return suspendIntegration(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => IntegrationType, { description: 'For administrators: gives a suspended integration its production access back.' })
  reactivateIntegration(
    @Arg('input', () => AccessDecisionInput) input: AccessDecisionInput,
    @Ctx() context: PortalContext,
  ): Promise<Integration> {
    return reactivateIntegration(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }
}
