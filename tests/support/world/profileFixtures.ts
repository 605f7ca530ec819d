import type { Rows } from './Rows.ts';

/** The next version of an integration's profile, current at once: a copy of the present one with other values in these columns. */
export async function nextProfile(database: Rows, integrationId: string, changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await database.rows(
    `with made as (
       insert into profile_version
       select (jsonb_populate_record(v, $2::jsonb || jsonb_build_object('version', v.version + 1, 'known_columns', array(select jsonb_object_keys(to_jsonb(v)))))).*
         from profile_version v join integration i on i.id = v.integration_id and i.profile_version = v.version where i.id = $1
       returning version)
     update integration set profile_version = made.version from made where id = $1`,
    [integrationId, JSON.stringify(changes)],
  );
}

/** The next version of the terms, which nobody has accepted and nobody is told about. */
export async function newerTerms(database: Rows, publishedAt: Date): Promise<void> {
  await database.rows(
    `insert into terms_version (version, title, markdown, published_at)
     select max(version) + 1, 'Integration Terms', 'New', $1 from terms_version`,
    [publishedAt],
  );
}
