import { locking } from '../shared/locks.ts';

/** The statements of a retirement. `$1` are always the integrations' ids; each has two clients at most. */

const theirClients = 'select no from client where integration_id = any($1::text[])';

/** An administrator may retire what is under review; there is nothing left to decide. Unique index review_submission_open. */
export const closeSubmissionsSql = `
update review_submission set status = 'withdrawn', waiting_since = $2, decided_at = $2, decided_by = $3, decision_notes = 'The integration was retired.'
 where integration_id = any($1::text[]) and status = 'submitted'`;

/** A job that is just storing a corpus is waited for; one that comes later finds the integration retired. */
export const lockCorporaSql = locking(
  'corpus',
  'no key update',
  (clause) =>
    `select 1 from sandbox_corpus where client_no in (${theirClients}) and ready_at is null order by client_no, generation ${clause}`,
);

/** Index link_code_client. Whoever is redeeming one holds it: we wait, and see the connection afterwards. */
export const cancelLinkCodesSql = locking(
  'linkCode',
  'no key update',
  (clause) => `
with live as materialized (
  select id from link_code where client_no in (${theirClients}) and redeemed_at is null and cancelled_at is null and expires_at > $2::timestamptz
   order by id ${clause})
update link_code c set cancelled_at = $2 from live, client k
 where c.id = live.id and c.redeemed_at is null and c.cancelled_at is null and k.no = c.client_no returning c.id, k.integration_id as "integrationId"`,
);

export const lockClientsSql = locking(
  'client',
  'no key update',
  (clause) => `select 1 from client where integration_id = any($1::text[]) order by no ${clause}`,
);

/** Index certificate_client. */
export const revokeCertificatesSql = `
update certificate x set status = 'revoked', slot = null, revoked_at = $2, revocation_reason = 'cessation_of_operation'
  from client k where k.integration_id = any($1::text[]) and x.client_no = k.no and x.status in ('pending', 'issued')
returning x.id, k.integration_id as "integrationId"`;

export const lockFeedsSql = locking(
  'feed',
  'update',
  (clause) => `select 1 from client_feed where client_no in (${theirClients}) order by client_no ${clause}`,
);

/** Primary key of connection, which begins with the client. */
export const liveConnectionsSql = `
select c.client_no as "clientNo", c.id, k.integration_id as "integrationId" from connection c join client k on k.no = c.client_no
 where k.integration_id = any($1::text[]) and c.revocation_id is null order by c.client_no, c.id`;
