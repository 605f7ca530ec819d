import { limits } from '../../shared/limits.ts';
import { locking } from '../../shared/locks.ts';
import { linkCodeLifecycle } from '../linkCodeStatus.ts';

const { isIn, mayStart, sets } = linkCodeLifecycle;

/**
 * Locks the code with this value (`$1` environment, `$2` what may be stored of it; unique link_code (environment, code_hmac)), judges it for client `$3` at
 * `$4`, and counts the attempt if it fails: on a live code of another client, or on a used one. After the fifth, nothing is counted any
 * more. It is one statement whatever the code is, so that all refusals cost the same.
 */
export const judgeLinkCodeSql = locking(
  'linkCode',
  'no key update',
  (clause) => `
with code as (
  select id, user_ref, profile_version, scopes, statistics_opted_in, client_no = $3::int as own,
         ${isIn(['generated'], { now: '$4' })} as fresh, ${isIn(['redeemed'])} and failed_attempts < ${limits.failedAttemptsPerCode} as used
    from link_code where environment = $1 and code_hmac = any($2::bytea[]) ${clause}),
failed as (
  update link_code c set ${sets('countFailedAttempt', { failedAttempts: 'c.failed_attempts + 1' })} from code k
   where c.id = k.id and (k.used or (k.fresh and not k.own)))
select id, user_ref as "userRef", profile_version as "profileVersion", scopes, statistics_opted_in as "statisticsOptedIn", own and fresh as redeemable
  from code`,
);

/**
 * Pins the resources for which the code was created, except for those that were withdrawn or have come to belong to another user since
 * (primary keys of link_code_resource and tracked_resource). Shared resources belong to their client, not to the code's user.
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

export const redeemSql = `
update link_code set ${sets('redeemLinkCode', { redeemedAt: '$2', connectionId: '$3' })} where id = $1 and ${mayStart('redeemLinkCode', { now: '$2' })}`;

export const insertConnectionSql = `
insert into connection (client_no, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
values ($1, $2, $3, $4, $5, $6, $7)`;
