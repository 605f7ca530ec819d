import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { numberCursors } from '../../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../../shared/lists/page.ts';
import { profileDiff, type ProfileChange } from './profileDiff.ts';
import { ProfileVersion } from './ProfileVersion.ts';

/** A version of a profile with what it changed; the first one changes nothing. */
type RevisedProfile = { readonly profile: ProfileVersion; readonly changes: readonly ProfileChange[] };

const cursors = numberCursors<RevisedProfile>(({ profile }) => profile.version);

/** A page of an integration's profile versions, newest first (primary key). Errors: invalid_request. */
export function profileVersions(
  em: EntityManager,
  { integrationId, ...request }: { integrationId: string } & PageRequest,
): Promise<Page<RevisedProfile>> {
  return page(request, {
    cursors,
    read: async (count, after) => {
      const earlier = after === null ? {} : { version: { $lt: after } };
      const versions = await em.find(ProfileVersion, { integrationId, ...earlier }, { orderBy: { version: 'desc' }, limit: count });
      return versions.map((profile, index) => {
        const former = versions[index + 1];
        return { profile, changes: former ? profileDiff(former, profile) : [] };
      });
    },
  });
}

/** One version of a profile. Errors: not_found. */
export async function profileVersion(em: EntityManager, integrationId: string, version: number): Promise<ProfileVersion> {
  const profile = version >= 1 && version <= 2 ** 31 - 1 ? await em.findOne(ProfileVersion, { integrationId, version }) : null;
  if (!profile) throw new DomainError('not_found', { detail: `This profile has no version ${version}.` });
  return profile;
}
