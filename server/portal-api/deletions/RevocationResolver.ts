import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Environment } from '../../domain/shared/environment.ts';
import { ownRevocations, type RevocationOrder, type RevocationState } from '../../domain/sharing/deletion/ownRevocations.ts';
import { recordDeletion } from '../../domain/sharing/deletion/recordDeletion.ts';
import { deletionsToRecord, recordDeletions } from '../../domain/sharing/deletion/recordDeletions.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';
import {
  DeletionFilterInput,
  RecordableDeletionsType,
  RecordDeletionInput,
  RecordDeletionsInput,
  RecordDeletionsPayload,
  RevocationConnectionType,
  RevocationOrderEnum,
  RevocationStateEnum,
  RevocationType,
} from './revocationTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

@Resolver()
export class RevocationResolver {
  @Query(() => RevocationConnectionType, { description: 'What one of the viewer’s own integrations must delete, or has deleted.' })
  async revocations(
    @Arg('slug', () => String) slug: string,
    @Arg('environment', () => EnvironmentEnum, { nullable: true, description: 'If omitted, all of them.' })
    environment: Environment | null | undefined,
    @Arg('state', () => RevocationStateEnum, { defaultValue: 'outstanding' }) state: RevocationState,
    @Arg('order', () => RevocationOrderEnum, { defaultValue: 'deadline' }) order: RevocationOrder,
    @Arg('id', () => ID, { nullable: true, description: 'Only this revocation, whatever its state.' })
    revocationId: string | null | undefined,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<RevocationConnectionType> {
    return ownRevocations(context.em, {
      operatorId: actorOf(context).operatorId,
      slug,
      environment: environment ?? null,
      state,
      order,
      revocationId,
      first,
      after,
      now: context.clock.now(),
    });
  }

  @Query(() => RecordableDeletionsType, { description: 'How many deletions recordDeletions would record with this filter.' })
  deletionsToRecord(
    @Arg('slug', () => String) slug: string,
    @Arg('filter', () => DeletionFilterInput, { nullable: true }) filter: DeletionFilterInput | null | undefined,
    @Ctx() context: PortalContext,
  ): Promise<RecordableDeletionsType> {
    return deletionsToRecord(context.em, { operatorId: actorOf(context).operatorId, slug, filter: filter ?? {}, now: context.clock.now() });
  }

  @Mutation(() => RecordDeletionsPayload, {
    description: 'Does the same as recordDeletion for exactly those deletions that a filter found when they were counted.',
  })
  recordDeletions(
    @Arg('input', () => RecordDeletionsInput) input: RecordDeletionsInput,
    @Ctx() context: PortalContext,
  ): Promise<RecordDeletionsPayload> {
    return recordDeletions(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => RevocationType, {
    description:
      'For owners, at any time: records that every copy is deleted. Counts as an acknowledgement, and is recorded as late after the deadline.',
  })
  recordDeletion(
    @Arg('input', () => RecordDeletionInput) { revocationId }: RecordDeletionInput,
    @Ctx() context: PortalContext,
  ): Promise<RevocationType> {
    return recordDeletion(context.em, { actor: actorOf(context), revocationId, now: context.clock.now() });
  }
}
