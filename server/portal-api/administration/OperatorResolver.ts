import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { operator, operatorAccess, operators, type OperatorOrder, type OperatorRecord } from '../../domain/administration/operators.ts';
import { grantRole } from '../../domain/programme/grantRole.ts';
import { lockAccount, unlockAccount } from '../../domain/programme/lockAccount.ts';
import { withdrawRole } from '../../domain/programme/withdrawRole.ts';
import { actorOf, type PortalContext } from '../context.ts';
import {
  AccountLockInput,
  OperatorAccessType,
  OperatorConnectionType,
  OperatorFilterInput,
  OperatorOrderEnum,
  OperatorType,
  RoleInput,
} from './operatorTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

@Resolver(() => OperatorType)
export class OperatorResolver {
  @Query(() => OperatorConnectionType, {
    description: 'For administrators: all accounts, by age or by address.',
  })
  async operators(
    @Arg('filter', () => OperatorFilterInput, { nullable: true }) filter: OperatorFilterInput | null | undefined,
    @Arg('order', () => OperatorOrderEnum, { defaultValue: 'newest' }) order: OperatorOrder,
    @First(50) first: number,
    @After() after: AfterCursor,
    @Ctx() { em }: PortalContext,
  ): Promise<OperatorConnectionType> {
    return operators(em, { filter: filter ?? {}, order, first, after });
  }

  @Query(() => OperatorType, { description: 'For administrators: one account.' })
  operator(@Arg('id', () => ID) id: string, @Ctx() { em }: PortalContext): Promise<OperatorRecord> {
    return operator(em, id);
  }

  @Mutation(() => OperatorType, { description: 'For administrators: grants an account a role, from its next request.' })
  async grantRole(@Arg('input', () => RoleInput) input: RoleInput, @Ctx() context: PortalContext): Promise<OperatorRecord> {
    await grantRole(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
    return operator(context.em, input.operatorId);
  }

  @Mutation(() => OperatorType, { description: 'For administrators: withdraws a role at once. The last administrator keeps theirs.' })
  async withdrawRole(@Arg('input', () => RoleInput) input: RoleInput, @Ctx() context: PortalContext): Promise<OperatorRecord> {
    await withdrawRole(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
    return operator(context.em, input.operatorId);
  }

  @Mutation(() => OperatorType, {
    description:
      'For administrators: ends all sessions of an account and prevents signing in. Its integrations keep their access to the machine API.',
  })
  async lockAccount(@Arg('input', () => AccountLockInput) input: AccountLockInput, @Ctx() context: PortalContext): Promise<OperatorRecord> {
    await lockAccount(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
    return operator(context.em, input.operatorId);
  }

  @Mutation(() => OperatorType, { description: 'For administrators: lets the owner of a locked account sign in again.' })
  async unlockAccount(
    @Arg('input', () => AccountLockInput) input: AccountLockInput,
    @Ctx() context: PortalContext,
  ): Promise<OperatorRecord> {
    await unlockAccount(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
    return operator(context.em, input.operatorId);
  }

  @FieldResolver(() => Int, { description: 'Including retired ones.' })
  integrationCount(@Root() { id }: OperatorRecord, @Ctx() { loaders }: PortalContext): Promise<number> {
    return loaders.integrationCount.load(id);
  }

  @FieldResolver(() => OperatorAccessType)
  access(@Root() { id }: OperatorRecord, @Ctx() { em, clock }: PortalContext): Promise<OperatorAccessType> {
    return operatorAccess(em, id, clock.now());
  }
}
