import type { EntityManager } from '@mikro-orm/postgresql';
import { integrationsNamedTo, refuseBadSearch } from '../administration/search.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { placeAfter, timeCursor } from '../shared/timeCursor.ts';
import type { IntegrationStatus } from './integrationStatus.ts';
import { profileDiff, type ProfileChange } from './profileDiff.ts';
import { ProfileVersion } from './ProfileVersion.ts';

/** A version that an operator stored after the approval, with what it changed against the version before. */
export type MinorRevision = {
  readonly integrationId: string;
  readonly slug: string;
  readonly status: IntegrationStatus;
  readonly profile: ProfileVersion;
  readonly changes: readonly ProfileChange[];
};

/**
 * Index profile_version_minor in its order, or the primary key; integrations by theirs. `$1` the reviewer, `$2` rows wanted, `$3` the
 * integrations asked for, `$4` to `$6` the last item's place.
 */
const minorRevisionsSql = (named: boolean, resumed: boolean) => `
select v.integration_id as "integrationId", v.version, i.slug, i.status
  from profile_version v join integration i on i.id = v.integration_id
 where v.minor_revision and i.operator_id <> $1 and ${named ? 'v.integration_id = any ($3::text[])' : '$3::text[] is null'}
       ${resumed ? 'and (v.created_at, v.integration_id, v.version) < ($4::timestamptz, $5::text, $6::int)' : ''}
 order by v.created_at desc, v.integration_id desc, v.version desc limit $2`;

/**
 * A page of what other operators have changed in approved profiles, newest first (contract, “Integration status”: minor revisions are
 * shown to reviewers). A search finds what `integrationsNamedTo` does. `after` is the cursor of a former item. Errors: invalid_request.
 */
export async function minorRevisions(
  em: EntityManager,
  { actor, search, first, after }: { actor: OperatorActor; search?: string | null; first: number; after: string | null },
): Promise<{ items: readonly MinorRevision[]; hasNextPage: boolean }> {
  if (first < 1 || first > limits.pageSize) refuseInvalid([{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  refuseBadSearch(search ?? '', 'search');
  const named = search?.trim() ? await integrationsNamedTo(em, actor, search) : null;
  const rows = await sql<Pick<MinorRevision, 'integrationId' | 'slug' | 'status'> & { version: number }>(
    em,
    minorRevisionsSql(named !== null, after !== null),
    [actor.operatorId, first + 1, named, ...(after === null ? [] : placeOf(after))],
  );
  const page = rows.slice(0, first);
  const versions = await em.find(ProfileVersion, {
    $or: page.flatMap(({ integrationId, version }) => [
      { integrationId, version },
      { integrationId, version: version - 1 },
    ]),
  });
  const find = (integrationId: string, version: number) =>
    versions.find((profile) => profile.integrationId === integrationId && profile.version === version);
  const items = page.flatMap(({ version, ...row }) => {
    const [former, profile] = [find(row.integrationId, version - 1), find(row.integrationId, version)];
    return former && profile ? [{ ...row, profile, changes: profileDiff(former, profile) }] : [];
  });
  return { items, hasNextPage: rows.length > first };
}

/** The opaque cursor of an item. */
export function minorRevisionCursor({ profile: { createdAt, integrationId, version } }: MinorRevision): string {
  return timeCursor(createdAt, integrationId, version);
}

function placeOf(cursor: string): readonly [Date, string, number] {
  const { at, rest } = placeAfter(cursor, isVersion);
  const [id = '', version] = rest.split(' ');
  return [at, id, Number(version)];
}

function isVersion(rest: string): boolean {
  const [id = '', version = ''] = rest.split(' ');
  return hasIdForm('int', id) && /^\d{1,9}$/.test(version);
}
