import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { Client } from '../../domain/client/Client.ts';
import { setQuotaOverride } from '../../domain/client/setQuotaOverride.ts';
import { withdrawQuotaOverride } from '../../domain/client/withdrawQuotaOverride.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { ClientType } from '../integration/integrationTypes.ts';
import { QuotaOverrideType, SetQuotaOverrideInput, WithdrawQuotaOverrideInput } from './quotaOverrideTypes.ts';

@Resolver(() => ClientType)
export class QuotaOverrideResolver {
  @Mutation(() => QuotaOverrideType, {
    description:
      'For administrators: sets a different value for one quota, or for the polling interval, of a client. It replaces the previous one.',
  })
  setQuotaOverride(
    @Arg('input', () => SetQuotaOverrideInput) { expiresAt = null, ...input }: SetQuotaOverrideInput,
    @Ctx() context: PortalContext,
  ): Promise<QuotaOverrideType> {
    return setQuotaOverride(context.em, { actor: actorOf(context), ...input, expiresAt, now: context.clock.now() });
  }

  @Mutation(() => [QuotaOverrideType], { description: 'For administrators: withdraws an override, and returns those that remain.' })
  async withdrawQuotaOverride(
    @Arg('input', () => WithdrawQuotaOverrideInput) input: WithdrawQuotaOverrideInput,
    @Ctx() context: PortalContext,
  ): Promise<QuotaOverrideType[]> {
    return [...(await withdrawQuotaOverride(context.em, { actor: actorOf(context), ...input, now: context.clock.now() }))];
  }

  @FieldResolver(() => [QuotaOverrideType], { description: 'What an administrator has set and nobody has withdrawn.' })
  quotaOverrides(@Root() { number }: Client, @Ctx() { loaders }: PortalContext): Promise<QuotaOverrideType[]> {
    return loaders.quotaOverrides.load(number);
  }
}
