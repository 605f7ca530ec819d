import { accountLimits } from '../account/accountLimits.ts';
import { reviewLimits } from '../review/reviewLimits.ts';
import { limits } from '../shared/limits.ts';
import { latestGenerations } from '../statistics/latestGeneration.sql.ts';
import { usageLimits } from '../usage/usageLimits.ts';
import { webhookLimits } from '../outbox/webhookLimits.ts';
import { deliveryLifecycle, finalDeliveryStates } from '../outbox/deliveryStatus.ts';
import type { EndedCredential } from './endedCredentials.function.ts';
import { signingKeyPublished } from '../webhook/signing/jwks.ts';

/** What is removed, how long it is kept, and the statement that removes one slice of it. */
export type Retention = {
  readonly what: string;
  /** In milliseconds, counted from the moment by which it is found. */
  readonly kept: number;
  /** `$1` is the latest moment that is removed, `$2` the most rows; returns their `count`. */
  readonly sliceSql: string;
};

const day = 24 * 60 * 60 * 1000;

/** Everything that the service removes by itself. Each column of `rowsOf` has an index that begins with it. */
export const retention: readonly Retention[] = [
  credentialsOf('used_challenge', accountLimits.challengeLifetime),
  credentialsOf('verification_link', day),
  credentialsOf('portal_session', day),
  credentialsOf('email_change', day),
  rowsOf('attempt_window', 'window_start', day),
  rowsOf('redeem_source', 'window_start', day),
  rowsOf('link_code', 'expires_at', limits.linkCodeKept),
  rowsOf('acknowledgement_key', 'created_at', limits.idempotencyKeyLifetime),
  daysOfRequests(),
  rowsOf('request_log_default', 'occurred_at', usageLimits.requestLogKept),
  rowsOf('usage_counter', 'hour', usageLimits.usageCountersKept),
  finishedDeliveries(),
  rowsOf('webhook_attempt', 'started_at', webhookLimits.webhookHistoryKept),
  rowsOf('webhook_attempt_hour', 'hour', webhookLimits.webhookHistoryKept),
  undeliverableEvents(),
  rowsOf('webhook_sample', 'requested_at', webhookLimits.signedSampleKept),
  rowsOf('webhook_replay', 'ordered_at', webhookLimits.webhookHistoryKept),
  removedEndpoints(),
  rowsOf('webhook_signing_key', 'retired_at', signingKeyPublished),
  rowsOf('webhook_challenge', 'requested_at', webhookLimits.webhookHistoryKept),
  rowsOf('page_check', 'requested_at', reviewLimits.pageChecksKept),
  rowsOf('submission_draft', 'saved_at', reviewLimits.submissionDraftKept),
  undeliveredRecipients(),
  rowsOf('mail', 'created_at', limits.mailKept),
  rowsOf('review_draft', 'saved_at', reviewLimits.reviewDraftKept),
  rowsOf('review_visit', 'seen_at', reviewLimits.reviewDraftKept),
  formerGenerations(),
  // The longer of the two lives.
  credentialsOf('key_ring_entry', accountLimits.sessionLifetime + limits.keyRingGrace),
];

/**
 * Days of the request log whose last line may go, each dropped whole with its partition. Lines that had no partition when they were written
 * go one by one, by index request_log_default_age.
 */
function daysOfRequests(): Retention {
  return { what: 'request_log', kept: usageLimits.requestLogKept, sliceSql: 'select drop_request_log_days($1, $2) as count' };
}

/** What lets people in, and has ended: the workers see none of it, so a function of the database's removes it. */
function credentialsOf(table: EndedCredential, kept: number): Retention {
  return { what: table, kept, sliceSql: `select remove_ended_credentials('${table}', $1::timestamptz, $2::int) as count` };
}

/** Rows that are locked at this moment are left for the next time, because a command that locks several does so in an order of its own. */
function rowsOf(table: string, column: string, kept: number): Retention {
  const oldest = `select ctid from ${table} where ${column} <= $1 order by ${column} limit $2 for update skip locked`;
  return { what: table, kept, sliceSql: counted(`delete from ${table} where ctid = any(array(${oldest})) returning 1`) };
}

/**
 * Deliveries that are over. They are stored in the order of their numbers, so the oldest are at the beginning of the primary key; an index
 * of their times would be one more to write for each of them. What is still open is never forgotten.
 */
function finishedDeliveries(): Retention {
  const oldest = `select ctid from (select ctid, created_at, state from webhook_delivery order by number limit $2) o
     where created_at <= $1 and ${deliveryLifecycle.isIn(finalDeliveryStates)}`;
  return {
    what: 'webhook_delivery',
    kept: webhookLimits.webhookHistoryKept,
    sliceSql: counted(`delete from webhook_delivery where ctid = any(array(${oldest})) returning 1`),
  };
}

/** An event is kept as long as one of its deliveries, which may be a later replay. By webhook_event_age and webhook_delivery_event. */
function undeliverableEvents(): Retention {
  const oldest = `select ctid from webhook_event e where occurred_at <= $1 and not exists (select 1 from webhook_delivery d where d.event_id = e.id)
     order by occurred_at limit $2 for update skip locked`;
  return {
    what: 'webhook_event',
    kept: webhookLimits.webhookHistoryKept,
    sliceSql: counted(`delete from webhook_event where ctid = any(array(${oldest})) returning 1`),
  };
}

/** An endpoint is remembered as long as what was delivered to it. By webhook_endpoint_removed and webhook_delivery_list. */
function removedEndpoints(): Retention {
  const oldest = `select ctid from webhook_endpoint p where removed_at <= $1 and not exists (select 1 from webhook_delivery d where d.endpoint_number = p.number)
     order by removed_at limit $2 for update skip locked`;
  return {
    what: 'webhook_endpoint',
    kept: webhookLimits.webhookHistoryKept,
    sliceSql: counted(`delete from webhook_endpoint where ctid = any(array(${oldest})) returning 1`),
  };
}

/** The address of a deleted account whose last mail could not be delivered; a delivered mail's address is removed on delivery. */
function undeliveredRecipients(): Retention {
  const oldest = `select ctid from mail where recipient is not null and created_at <= $1 order by created_at limit $2 for update skip locked`;
  return {
    what: 'mail.recipient',
    kept: limits.undeliveredRecipientKept,
    sliceSql: counted(`update mail set recipient = null where ctid = any(array(${oldest})) returning 1`),
  };
}

/** A client is served its latest generation, which stays however old it is. */
function formerGenerations(): Retention {
  const former = `
    select g.ctid from statistics_generation g
     where g.published_at <= $1 and g.id <> (${latestGenerations('id', 'g.client_number')})
     limit $2 for update of g skip locked`;
  return {
    what: 'statistics_generation',
    kept: limits.formerGenerationKept,
    sliceSql: counted(`delete from statistics_generation where ctid = any(array(${former})) returning 1`),
  };
}

function counted(change: string): string {
  return `with changed as (${change}) select count(*)::int as count from changed`;
}
