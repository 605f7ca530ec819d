import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Environment } from '../../domain/client/Client.ts';
import { ownRevocations, revocationCursor, type RevocationOrder, type RevocationState } from '../../domain/sharing/ownRevocations.ts';
import { recordDeletion } from '../../domain/sharing/recordDeletion.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';
import {
  RecordDeletionInput,
  RevocationConnectionType,
  RevocationOrderEnum,
  RevocationStateEnum,
  RevocationType,
} from './revocationTypes.ts';

@Resolver()
export class RevocationResolver {
  @Query(() => RevocationConnectionType, { description: 'What one of the viewer’s own integrations has to delete, or has deleted.' })
  async revocations(
    @Arg('slug', () => String) slug: string,
    @Arg('environment', () => EnvironmentEnum, { nullable: true, description: 'All of them when it is left out.' })
    environment: Environment | null | undefined,
    @Arg('state', () => RevocationStateEnum, { defaultValue: 'outstanding' }) state: RevocationState,
    @Arg('order', () => RevocationOrderEnum, { defaultValue: 'deadline' }) order: RevocationOrder,
    @Arg('first', () => Int, { defaultValue: 20 }) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() context: PortalContext,
  ): Promise<RevocationConnectionType> {
    const { items, hasNextPage, ...counts } = await ownRevocations(context.em, {
      operatorId: actorOf(context).operatorId,
      slug,
      environment: environment ?? null,
      state,
      order,
      first,
      after: after ?? null,
      now: context.clock.now(),
    });
    const edges = items.map((node) => ({ cursor: revocationCursor(node), node }));
    return { edges, pageInfo: { hasNextPage, endCursor: edges.at(-1)?.cursor ?? null }, ...counts };
  }

  @Mutation(() => RevocationType, {
    description:
      'By the owner: every copy is deleted. For what the machine API no longer takes: past the deadline (marked late), while suspended, or retired.',
  })
  recordDeletion(
    @Arg('input', () => RecordDeletionInput) { revocationId }: RecordDeletionInput,
    @Ctx() context: PortalContext,
  ): Promise<RevocationType> {
    return recordDeletion(context.em, { actor: actorOf(context), revocationId, now: context.clock.now() });
  }
}
