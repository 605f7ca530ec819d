import { locking } from '../shared/locks.ts';

/** The statements of an upsert batch, arrays by column (index tracked_resource_environment_type_source_key_key, then the primary key). */

/** Which of these are already stored. This is only a hint, read without a lock, so that known resources are not sent as inserts. */
export const findKnownKeysSql = `
select t.source_key from unnest($2::text[], $3::bytea[]) u(type, source_key)
  join tracked_resource t on t.environment = $1 and t.type = u.type and t.source_key = u.source_key`;

/** In the order of the keys, so that two batches with the same new keys can only wait for each other in one direction. */
export const insertNewSql = `
insert into tracked_resource (environment, type, source_key, source_version, user_ref, core, shipping, history_complete, last_sequence)
select $1, u.type, u.source_key, u.source_version, u.user_ref, u.core, u.shipping, u.history_complete, u.last_sequence
  from unnest($2::text[], $3::bytea[], $4::bigint[], $5::bytea[], $6::text[], $7::text[], $8::bool[], $9::bigint[])
       u(type, source_key, source_version, user_ref, core, shipping, history_complete, last_sequence)
 order by u.source_key
    on conflict (environment, type, source_key) do nothing
returning id, source_key`;

export const lockKnownSql = locking(
  'trackedResource',
  'no key update of t',
  (clause) => `
select t.id, t.source_key, t.source_version, t.user_ref, t.core, t.shipping, t.history_complete, t.history_forgotten, t.last_sequence,
       t.withdrawn_at is not null as withdrawn
  from unnest($2::text[], $3::bytea[]) u(type, source_key)
  join tracked_resource t on t.environment = $1 and t.type = u.type and t.source_key = u.source_key
 order by t.id ${clause}`,
);

export const raiseVersionsSql = `
update tracked_resource t set source_version = u.source_version
  from unnest($1::bigint[], $2::bigint[]) u(id, source_version) where t.id = u.id`;

export const updateChangedSql = `
update tracked_resource t
   set source_version = u.source_version, core = u.core, shipping = u.shipping, history_complete = u.history_complete, last_sequence = u.last_sequence,
       withdrawn_at = null
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bool[], $6::bigint[])
       u(id, source_version, core, shipping, history_complete, last_sequence)
 where t.id = u.id`;

export const insertChangesSql = `
insert into tracked_change (tracked_resource_id, sequence, section, occurred_at, changes)
select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[], $5::text[])`;
