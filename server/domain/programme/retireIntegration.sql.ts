import { certificateLifecycle } from '../certificate/certificateStatus.ts';
import { submissionLifecycle } from '../review/submissionStatus.ts';
import { corpusLifecycle, unfinishedStates } from '../sandbox/corpusStatus.ts';
import { locking } from '../shared/locks.ts';
import { webhookEndpointLifecycle } from '../outbox/webhookEndpointStatus.ts';
import { isLive, linkCodeLifecycle } from '../sharing/linkCodeStatus.ts';

/** The statements of a retirement. `$1` are always the integrations' ids; each has two clients at most. */

const theirClients = 'select number from client where integration_id = any($1::text[])';

/** An administrator may retire what is under review; there is nothing left to decide. Unique index review_submission_open. */
export const closeSubmissionsSql = `
update review_submission set ${submissionLifecycle.sets('retireIntegration', {
  waitingSince: '$2',
  decidedAt: '$2',
  decidedBy: '$3',
  decisionNotes: `'The integration was retired.'`,
})}
 where integration_id = any($1::text[]) and ${submissionLifecycle.mayStart('retireIntegration')} returning id`;

/** A job that is just storing a corpus is waited for; one that comes later finds the integration retired. */
export const lockCorporaSql = locking(
  'corpus',
  'no key update',
  (clause) =>
    `select 1 from sandbox_corpus where client_number in (${theirClients}) and ${corpusLifecycle.isIn(unfinishedStates)} order by client_number, generation ${clause}`,
);

/** Index link_code_client. A redemption under way holds its code: we wait, and see the connection afterwards. */
export const cancelLinkCodesSql = locking(
  'linkCode',
  'no key update',
  (clause) => `
with live as materialized (
  select id from link_code c where client_number in (${theirClients}) and ${isLive('c', '$2')}
   order by id ${clause})
update link_code c set ${linkCodeLifecycle.sets('cancelLinkCode', { cancelledAt: '$2' })} from live, client k
 where c.id = live.id and ${linkCodeLifecycle.mayStart('cancelLinkCode', { row: 'c' })} and k.number = c.client_number returning c.id, k.integration_id as "integrationId"`,
);

export const lockClientsSql = locking(
  'client',
  'no key update',
  (clause) => `select 1 from client where integration_id = any($1::text[]) order by number ${clause}`,
);

/** Index webhook_endpoint_list. */
export const removeEndpointsSql = `
update webhook_endpoint p set ${webhookEndpointLifecycle.sets('removeWebhookEndpoint', { slot: 'null', removedAt: '$2', statusChangedAt: '$2' })}
 where p.integration_id = any($1::text[]) and ${webhookEndpointLifecycle.mayStart('removeWebhookEndpoint', { row: 'p' })}
returning p.number, p.id, p.integration_id as "integrationId"`;

/** Index certificate_client. */
export const revokeCertificatesOfIntegrationsSql = `
update certificate x set ${certificateLifecycle.sets('revokeCertificate', {
  slot: 'null',
  revokedAt: '$2',
  revocationReason: `'cessation_of_operation'`,
})}
  from client k where k.integration_id = any($1::text[]) and x.client_number = k.number and ${certificateLifecycle.mayStart('revokeCertificate', { row: 'x' })}
returning x.id, k.integration_id as "integrationId"`;

export const lockFeedsSql = locking(
  'feed',
  'update',
  (clause) => `select 1 from client_feed where client_number in (${theirClients}) order by client_number ${clause}`,
);

/** Those of production: test data is nobody's. Primary key of connection, which begins with the client. */
export const liveConnectionsSql = `
select c.client_number as "clientNumber", c.id, k.integration_id as "integrationId" from connection c join client k on k.number = c.client_number
 where k.integration_id = any($1::text[]) and k.environment = 'production' and c.revocation_id is null order by c.client_number, c.id`;

export const sandboxClientsSql = `select number from client where integration_id = any($1::text[]) and environment = 'sandbox' order by number`;

export const stopRenewalsSql = `update client set renewal_by_est = false where integration_id = any($1::text[]) and renewal_by_est`;
