import type { EntityManager } from '@mikro-orm/postgresql';
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { operator, operatorAccess, operators, type OperatorOrder, type OperatorRecord } from '../../domain/administration/operators.ts';
import { openReset } from '../../domain/account/accountReset.ts';
import { approveAccountReset, cancelAnyAccountReset, requestAccountReset } from '../../domain/programme/accountReset.ts';
import { grantRole } from '../../domain/programme/grantRole.ts';
import { lockAccount, unlockAccount } from '../../domain/programme/lockAccount.ts';
import { withdrawRole } from '../../domain/programme/withdrawRole.ts';
import { actorOf, type PortalContext } from '../context.ts';
import {
  AccountLockInput,
  AccountResetInput,
  AccountResetType,
  OperatorAccessType,
  OperatorConnectionType,
  OperatorFilterInput,
  OperatorOrderEnum,
  OperatorType,
  RequestAccountResetInput,
  RoleInput,
} from './operatorTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

/** The account as a change leaves it. Read in the same transaction, so that nothing is stored whose answer is refused. */
function changed(em: EntityManager, operatorId: string, change: (tx: EntityManager) => Promise<unknown>): Promise<OperatorRecord> {
  return em.transactional(async (tx) => {
    await change(tx);
    return operator(tx, operatorId);
  });
}

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
  grantRole(@Arg('input', () => RoleInput) input: RoleInput, @Ctx() context: PortalContext): Promise<OperatorRecord> {
    const change = { actor: actorOf(context), ...input, now: context.clock.now() };
    return changed(context.em, input.operatorId, (tx) => grantRole(tx, change));
  }

  @Mutation(() => OperatorType, { description: 'For administrators: withdraws a role at once. The last administrator keeps theirs.' })
  withdrawRole(@Arg('input', () => RoleInput) input: RoleInput, @Ctx() context: PortalContext): Promise<OperatorRecord> {
    const change = { actor: actorOf(context), ...input, now: context.clock.now() };
    return changed(context.em, input.operatorId, (tx) => withdrawRole(tx, change));
  }

  @Mutation(() => OperatorType, {
    description:
      'For administrators: ends all sessions of an account and prevents signing in. Its integrations keep their access to the machine API.',
  })
  lockAccount(@Arg('input', () => AccountLockInput) input: AccountLockInput, @Ctx() context: PortalContext): Promise<OperatorRecord> {
    const change = { actor: actorOf(context), ...input, now: context.clock.now() };
    return changed(context.em, input.operatorId, (tx) => lockAccount(tx, change));
  }

  @Mutation(() => OperatorType, { description: 'For administrators: lets the owner of a locked account sign in again.' })
  unlockAccount(@Arg('input', () => AccountLockInput) input: AccountLockInput, @Ctx() context: PortalContext): Promise<OperatorRecord> {
    const change = { actor: actorOf(context), ...input, now: context.clock.now() };
    return changed(context.em, input.operatorId, (tx) => unlockAccount(tx, change));
  }

  @Mutation(() => OperatorType, {
    description: 'For administrators: asks another one to reset an account whose passkeys and recovery codes are gone.',
  })
  requestAccountReset(
    @Arg('input', () => RequestAccountResetInput) input: RequestAccountResetInput,
    @Ctx() context: PortalContext,
  ): Promise<OperatorRecord> {
    const change = { actor: actorOf(context), ...input, now: context.clock.now() };
    return changed(context.em, input.operatorId, (tx) => requestAccountReset(tx, change));
  }

  @Mutation(() => OperatorType, {
    description: 'For administrators: approves a reset that another one has asked for. The owner can use it 72 hours later.',
  })
  approveAccountReset(
    @Arg('input', () => AccountResetInput) { resetId }: AccountResetInput,
    @Ctx() context: PortalContext,
  ): Promise<OperatorRecord> {
    const change = { actor: actorOf(context), resetId, now: context.clock.now() };
    return context.em.transactional(async (tx) => operator(tx, await approveAccountReset(tx, change)));
  }

  @Mutation(() => OperatorType, { description: 'For administrators: cancels a reset of any account.' })
  cancelAnyAccountReset(
    @Arg('input', () => AccountResetInput) { resetId }: AccountResetInput,
    @Ctx() context: PortalContext,
  ): Promise<OperatorRecord> {
    const change = { actor: actorOf(context), resetId, now: context.clock.now() };
    return context.em.transactional(async (tx) => operator(tx, await cancelAnyAccountReset(tx, change)));
  }

  @FieldResolver(() => AccountResetType, { nullable: true })
  reset(@Root() { id }: OperatorRecord, @Ctx() { em, clock }: PortalContext): Promise<AccountResetType | null> {
    return openReset(em, id, clock.now());
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
