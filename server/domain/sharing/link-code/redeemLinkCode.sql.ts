import { locking } from '../../shared/locks.ts';

/**
 * Locks the code with this value (`$1` environment, `$2` HMAC; unique link_code (environment, code_hmac)), judges it for client `$3` at
 * `$4`, and counts the attempt where it is a failed one: on a live code of another client, or on a used one. From `$5` failures on the
 * code is blocked and nothing counts any more. One statement whatever the code is, so that all refusals cost the same.
 */
export const judgeLinkCodeSql = locking(
  'linkCode',
  'no key update',
  (clause) => `
with code as (
  select id, user_ref, profile_version, scopes, statistics_opted_in, client_no = $3::int as own, redeemed_at is not null as used,
         expires_at > $4::timestamptz as live, cancelled_at is null and failed_attempts < $5::int as open
    from link_code where environment = $1 and code_hmac = $2 ${clause}),
failed as (
  update link_code c set failed_attempts = c.failed_attempts + 1 from code k
   where c.id = k.id and k.open and (k.used or (k.live and not k.own)))
select id, user_ref as "userRef", profile_version as "profileVersion", scopes, statistics_opted_in as "statisticsOptedIn", own and open and live and not used as redeemable
  from code`,
);

/**
 * Pins what the code was made for, without what was withdrawn or has come to belong to another user meanwhile (primary keys of
 * link_code_resource and tracked_resource). Shared resources belong to their client, not to the code's user.
 */
export const pinCodeResourcesSql = locking(
  'trackedResource',
  'share of t',
  (clause) => `
select t.id as "trackedResourceId", t.type
  from link_code_resource r join link_code c on c.id = r.link_code_id join tracked_resource t on t.id = r.tracked_resource_id
 where r.link_code_id = $1 and t.withdrawn_at is null
   and (t.type = 'vehicle' or t.user_ref = c.user_ref or t.synthetic_for = c.client_no)
 order by t.id ${clause}`,
);

export const insertConnectionSql = `
insert into connection (client_no, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
values ($1, $2, $3, $4, $5, $6, $7)`;
