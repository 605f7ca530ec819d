import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../../shared/actor.ts';
import { hasIdForm } from '../../shared/ids.ts';
import { timeCursors } from '../../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../../shared/lists/page.ts';
import { integrationsNamedTo, refuseBadSearch } from '../../shared/lists/search.ts';
import { sql } from '../../shared/sql.ts';
import type { IntegrationStatus } from '../integrationStatus.ts';
import { profileDiff, type ProfileChange } from './profileDiff.ts';
import { ProfileVersion } from './ProfileVersion.ts';

/** A version that an operator stored after approval, with what it changed compared with the version before. */
type MinorRevision = {
  readonly integrationId: string;
  readonly slug: string;
  readonly status: IntegrationStatus;
  readonly profile: ProfileVersion;
  readonly changes: readonly ProfileChange[];
};

/**
 * Reads index profile_version_minor in its order, or the primary key, and integrations by their primary key. `$1` is the reviewer, `$2` the
 * number of rows wanted, `$3` the integrations asked for, `$4` to `$6` the position of the last item.
 */
const minorRevisionsSql = (named: boolean, resumed: boolean) => `
select v.integration_id as "integrationId", v.version, i.slug, i.status
  from profile_version v join integration i on i.id = v.integration_id
 where v.minor_revision and i.operator_id <> $1 and ${named ? 'v.integration_id = any ($3::text[])' : '$3::text[] is null'}
       ${resumed ? 'and (v.created_at, v.integration_id, v.version) < ($4::timestamptz, $5::text, $6::int)' : ''}
 order by v.created_at desc, v.integration_id desc, v.version desc limit $2`;

/**
 * A page of what other operators have changed in approved profiles, newest first (docs/specification.md, “Profile versions”: minor
 * revisions are shown to reviewers). A search finds what `integrationsNamedTo` does. Errors: invalid_request.
 */
export function minorRevisions(
  em: EntityManager,
  { actor, search, ...request }: { actor: OperatorActor; search?: string | null } & PageRequest,
): Promise<Page<MinorRevision>> {
  return page(request, {
    cursors,
    read: async (count, after) => {
      refuseBadSearch(search ?? '', 'search');
      const named = search?.trim() ? await integrationsNamedTo(em, actor, search) : null;
      const text = minorRevisionsSql(named !== null, after !== null);
      return withChanges(em, await sql<Row>(em, text, [actor.operatorId, count, named, ...(after ?? [])]));
    },
  });
}

const cursors = timeCursors(
  ({ profile }: MinorRevision) => profile.createdAt,
  ({ profile: { integrationId, version } }) => [integrationId, version],
  (rest): [string, number] | undefined => {
    const [id = '', version = ''] = rest.split(' ');
    return hasIdForm('int', id) && /^\d{1,9}$/.test(version) ? [id, Number(version)] : undefined;
  },
);

type Row = Pick<MinorRevision, 'integrationId' | 'slug' | 'status'> & { readonly version: number };

async function withChanges(em: EntityManager, rows: readonly Row[]): Promise<MinorRevision[]> {
  const versions = await em.find(ProfileVersion, {
    $or: rows.flatMap(({ integrationId, version }) => [
      { integrationId, version },
      { integrationId, version: version - 1 },
    ]),
  });
  const find = (integrationId: string, version: number) =>
    versions.find((profile) => profile.integrationId === integrationId && profile.version === version);
  return rows.flatMap(({ version, ...row }) => {
    const [former, profile] = [find(row.integrationId, version - 1), find(row.integrationId, version)];
    return former && profile ? [{ ...row, profile, changes: profileDiff(former, profile) }] : [];
  });
}
