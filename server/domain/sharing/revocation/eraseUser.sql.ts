import { locking } from '../../shared/locks.ts';
import { isLive, linkCodeLifecycle } from '../linkCodeStatus.ts';

/** The statements of an erasure. `$1` is always the user's HMAC. */

/** Index link_code_user. */
export const lockLinkCodesSql = locking(
  'linkCode',
  'no key update',
  (clause) => `select id from link_code where environment = $2 and user_ref = $1 order by id ${clause}`,
);

/** Spent codes lose the user, too. Live ones end. */
export const endLinkCodesSql = `
update link_code c set user_ref = $3,
       ${linkCodeLifecycle.sets('cancelLinkCode', { cancelledAt: `case when ${isLive('c', '$4')} then $4 else c.cancelled_at end` })}
 where environment = $2 and user_ref = $1`;

/** Index tracked_resource_user. */
export const lockOrdersSql = locking(
  'trackedResource',
  'update',
  (clause) => `select id from tracked_resource where environment = $2 and user_ref = $1 order by id ${clause}`,
);

/** Index connection_user. Publications of statistics lock the same rows, so that none of them restores the user. */
export const lockClientsSql = locking(
  'client',
  'no key update',
  (clause) =>
    `select number from client where number in (select client_number from connection where user_ref = $1) order by number ${clause}`,
);

export const lockClientFeedsSql = locking(
  'feed',
  'update',
  (clause) => `select 1 from client_feed where client_number = any($1::int[]) order by client_number ${clause}`,
);

/** Index connection_user. */
export const liveConnectionsSql = `
select c.client_number as "clientNumber", c.id, i.id as "integrationId", i.operator_id as "operatorId"
  from connection c join client k on k.number = c.client_number join integration i on i.id = k.integration_id
 where c.user_ref = $1 and c.revocation_id is null order by c.client_number, c.id`;

/** The user's contributions stay in the published values, under a key that says nothing about anybody. */
export const replaceInBasesSql = `
update statistics_generation set basis = replace(basis, $2, $3) where client_number = any($1::int[]) and strpos(basis, $2) > 0`;

export const replaceInConnectionsSql = 'update connection set user_ref = $2 where user_ref = $1';

/** History, the rows of link codes and references from revoked shares are deleted with them. */
export const deleteOrdersSql = 'delete from tracked_resource where id = any($1::bigint[])';
