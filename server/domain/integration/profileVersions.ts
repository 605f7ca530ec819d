import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { profileDiff, type ProfileChange } from './profileDiff.ts';
import { ProfileVersion } from './ProfileVersion.ts';

/** A version of a profile with what it changed; the first one changes nothing. */
export type RevisedProfile = { readonly profile: ProfileVersion; readonly changes: readonly ProfileChange[] };

/** A page of an integration's profile versions, newest first (primary key). `after` is the cursor of a former item. Errors: invalid_request. */
export async function profileVersions(
  em: EntityManager,
  { integrationId, first, after }: { integrationId: string; first: number; after: string | null },
): Promise<{ items: readonly RevisedProfile[]; hasNextPage: boolean }> {
  const below = after === null ? null : Number(after);
  refuseInvalid([
    ...(first >= 1 && first <= limits.pageSize ? [] : [{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]),
    ...(below === null || (Number.isInteger(below) && below >= 1 && below <= 2 ** 31 - 1)
      ? []
      : [{ path: 'after', message: 'This cursor does not belong to this list.' }]),
  ]);
  const versions = await em.find(
    ProfileVersion,
    { integrationId, ...(below !== null && { version: { $lt: below } }) },
    { orderBy: { version: 'desc' }, limit: first + 1 },
  );
  const items = versions.slice(0, first).map((profile, index) => {
    const former = versions[index + 1];
    return { profile, changes: former ? profileDiff(former, profile) : [] };
  });
  return { items, hasNextPage: versions.length > first };
}

/** One version of a profile. Errors: not_found. */
export async function profileVersion(em: EntityManager, integrationId: string, version: number): Promise<ProfileVersion> {
  const profile = version >= 1 && version <= 2 ** 31 - 1 ? await em.findOne(ProfileVersion, { integrationId, version }) : null;
  if (!profile) throw new DomainError('not_found', { detail: `This profile has no version ${version}.` });
  return profile;
}
