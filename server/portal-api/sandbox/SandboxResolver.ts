import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { firstRecord } from '../../domain/sandbox/firstRecord.ts';
import { sandboxShares } from '../../domain/sandbox/sandboxShares.ts';
import { sandboxLinkCodes } from '../../domain/sandbox/sandboxLinkCodes.ts';
import { type NextSync, sandboxNextSync } from '../../domain/sandbox/sandboxNextSync.ts';
import { sandboxResources } from '../../domain/sandbox/sandboxResources.ts';
import { sandboxSummary } from '../../domain/sandbox/sandboxSummary.ts';
import type { ResourceType } from '../../domain/tracking/allowlist.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { statementOf } from '../fieldCosts.ts';
import { ResourceTypeEnum } from '../tooling/resourceTypes.ts';
import {
  SandboxShareConnectionType,
  SandboxLinkCodeConnectionType,
  SandboxNextSyncType,
  SandboxResourceConnectionType,
  SandboxType,
} from './sandboxTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

/** What the viewer sees of their own sandbox. */
@Resolver()
export class SandboxResolver {
  @Query(() => SandboxType, { description: 'The sandbox of one of the viewer’s own integrations.' })
  sandbox(@Arg('clientId', () => ID) clientId: string, @Ctx() context: PortalContext): Promise<SandboxType> {
    return sandboxSummary(context.em, { actor: actorOf(context), clientId });
  }

  @Query(() => SandboxResourceConnectionType, { description: 'Its shared resources, most recently changed or revoked first.' })
  async sandboxResources(
    @Arg('clientId', () => ID) clientId: string,
    @Arg('type', () => ResourceTypeEnum, { nullable: true }) type: ResourceType | null | undefined,
    @Arg('status', () => String, { nullable: true }) status: string | null | undefined,
    @Arg('connectionId', () => ID, { nullable: true }) connectionId: string | null | undefined,
    @Arg('id', () => String, { nullable: true, description: 'An identifier or its beginning.' }) id: string | null | undefined,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<SandboxResourceConnectionType> {
    return sandboxResources(context.em, {
      actor: actorOf(context),
      clientId,
      type: type ?? null,
      status: status ?? null,
      connectionId: connectionId ?? null,
      id: id ?? null,
      first,
      after,
    });
  }

  @Query(() => SandboxNextSyncType, { description: 'What the next sync brings, starting where the client’s last one ended.' })
  sandboxNextSync(
    @Arg('clientId', () => ID) clientId: string,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many records to list one by one, at most 100.' }) first: number,
    @Ctx() context: PortalContext,
  ): Promise<NextSync> {
    return sandboxNextSync(context.em, { actor: actorOf(context), clientId, first });
  }

  @Query(() => SandboxShareConnectionType, { description: 'What its test users share and have shared, by connection, newest first.' })
  async sandboxShares(
    @Arg('clientId', () => ID) clientId: string,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<SandboxShareConnectionType> {
    return sandboxShares(context.em, { actor: actorOf(context), clientId, first, after });
  }

  @Query(() => SandboxLinkCodeConnectionType, { description: 'Its link codes of the last day, newest first.' })
  async sandboxLinkCodes(
    @Arg('clientId', () => ID) clientId: string,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<SandboxLinkCodeConnectionType> {
    return sandboxLinkCodes(context.em, { actor: actorOf(context), clientId, first, after, now: context.clock.now() });
  }
}

@Resolver(() => SandboxNextSyncType)
export class FirstRecordResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The first resource that a sync from the beginning brings, as the JSON that the machine API answers; null if it brings none.',
    complexity: statementOf,
  })
  firstRecord(@Root() { clientNumber }: NextSync, @Ctx() { em }: PortalContext): Promise<string | null> {
    return firstRecord(em, clientNumber);
  }
}
