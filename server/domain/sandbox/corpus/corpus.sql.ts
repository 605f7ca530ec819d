/**
 * The bulk statements of a corpus, with one round trip each and one array for each column. Rows are inserted in feed order, so that a page
 * reads neighbouring rows.
 */

/**
 * JSON texts are joined into one text. In an array, each of their quotes would be escaped and read back, which would take half the time of
 * a whole corpus. A missing shipping section is the empty text.
 */
export const insertTrackedResourcesSql = `
insert into tracked_resource (environment, synthetic_for, type, source_key, source_version, user_ref, core, shipping, history_complete, last_sequence)
select 'sandbox', $1::int, u.type, u.source_key, u.source_version, u.user_ref, u.core, nullif(u.shipping, ''), u.history_complete, u.last_sequence
  from rows from (unnest($2::text[]), unnest($3::bytea[]), unnest($4::bigint[]), unnest($5::bytea[]), string_to_table($6, chr(31)),
                  string_to_table($7, chr(31)), unnest($8::bool[]), unnest($9::bigint[]))
       with ordinality u(type, source_key, source_version, user_ref, core, shipping, history_complete, last_sequence, n)
 order by u.n
returning id, source_key`;

/** Times are milliseconds since 1970 and sections are booleans (shipping or not), because thousands of texts would have to be parsed. */
export const insertTrackedChangesSql = `
insert into tracked_change (tracked_resource_id, sequence, section, occurred_at, changes)
select u.id, u.sequence, case when u.shipping then 'shipping' else 'core' end, to_timestamp(u.occurred_at / 1000.0), u.changes
  from rows from (unnest($1::bigint[]), unnest($2::bigint[]), unnest($3::bool[]), unnest($4::float8[]), string_to_table($5, chr(31)))
       u(id, sequence, shipping, occurred_at, changes)`;

/** Separates JSON texts that are joined into one. JSON has no control characters. */
export const textSeparator = '\x1f';

/** The test users consent to the current profile. */
export const insertConnectionsSql = `
insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
select $1::int, u.id, u.user_ref, (select i.profile_version from client k join integration i on i.id = k.integration_id where k.number = $1::int),
       $2::text[], u.opted_in, u.created_at
  from unnest($3::text[], $4::bytea[], $5::bool[], $6::timestamptz[]) u(id, user_ref, opted_in, created_at)`;

export const insertRevocationSql = `
insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at, fixture)
values ($1, $2, 'resource', $3, $4, $5, $6, true)`;

export const insertSharedResourcesSql = `
insert into shared_resource (client_number, id, connection_id, tracked_resource_id, type, consented, revision, position, updated_at, revocation_id)
select $1::int, u.id, u.connection_id, u.tracked_resource_id, u.type, $2::smallint, u.revision, $3::bigint + u.n, u.updated_at, u.revocation_id
  from unnest($4::text[], $5::text[], $6::bigint[], $7::text[], $8::bigint[], $9::timestamptz[], $10::text[])
       with ordinality u(id, connection_id, tracked_resource_id, type, revision, updated_at, revocation_id, n)
 order by u.n`;
