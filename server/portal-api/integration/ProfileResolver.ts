import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Integration } from '../../domain/integration/Integration.ts';
import { ownIntegration } from '../../domain/integration/ownIntegrations.ts';
import { minorRevisions } from '../../domain/integration/profile/minorRevisions.ts';
import { profileDiff, type ProfileChange } from '../../domain/integration/profile/profileDiff.ts';
import { allProfileFields, profileFields, revisableFields } from '../../domain/integration/profile/profileFields.ts';
import { profileVersion, profileVersions } from '../../domain/integration/profile/profileVersions.ts';
import { reviseProfile } from '../../domain/programme/reviseProfile.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { reviewerSearch } from '../review/reviewerSearch.ts';
import { IntegrationType } from './integrationTypes.ts';
import {
  MinorRevisionConnectionType,
  ProfileChangeType,
  ProfileFieldType,
  ReviseProfileInput,
  RevisedProfileConnectionType,
} from './profileTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { factsIn } from '../../domain/shared/lifecycle.ts';

@Resolver(() => IntegrationType)
export class ProfileResolver {
  @Query(() => RevisedProfileConnectionType, { description: 'The profile versions of one of the viewer’s own integrations, newest first.' })
  async profileVersions(
    @Arg('slug', () => String) slug: string,
    @First(10) first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<RevisedProfileConnectionType> {
    const { id } = await ownIntegration(context.em, actorOf(context).operatorId, slug);
    return profileVersions(context.em, { integrationId: id, first, after });
  }

  @Query(() => [ProfileChangeType], { description: 'In which fields two profile versions of one of the viewer’s own integrations differ.' })
  async profileDiff(
    @Arg('slug', () => String) slug: string,
    @Arg('from', () => Int) from: number,
    @Arg('to', () => Int) to: number,
    @Ctx() context: PortalContext,
  ): Promise<ProfileChange[]> {
    const { id } = await ownIntegration(context.em, actorOf(context).operatorId, slug);
    return profileDiff(await profileVersion(context.em, id, from), await profileVersion(context.em, id, to));
  }

  @Query(() => MinorRevisionConnectionType, {
    description: 'For reviewers: what other operators have changed in approved profiles, newest first.',
  })
  async minorRevisions(
    @Arg('search', () => String, { nullable: true, description: reviewerSearch }) search: string | null | undefined,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<MinorRevisionConnectionType> {
    return minorRevisions(context.em, { actor: actorOf(context), search: search ?? null, first, after });
  }

  @Mutation(() => IntegrationType, {
    description:
      'Stores a new version of the profile. During review nothing may change; after approval, only what is not part of the review. A change of scopes applies to the sandbox and regenerates its test data.',
  })
  reviseProfile(@Arg('input', () => ReviseProfileInput) input: ReviseProfileInput, @Ctx() context: PortalContext): Promise<Integration> {
    return reviseProfile(context.em, { actor: actorOf(context), input, now: context.clock.now() });
  }

  @FieldResolver(() => [ProfileFieldType], { description: 'The fields of its profile, and what changing each of them would mean now.' })
  profileFields(@Root() { status }: Integration): ProfileFieldType[] {
    return allProfileFields.map((name) => ({ name, ...profileFields[name], revisable: factsIn(revisableFields, status).includes(name) }));
  }
}
