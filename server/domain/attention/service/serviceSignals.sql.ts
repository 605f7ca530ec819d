import type { AuditAction } from '../../audit/auditActions.ts';
import { integrationLifecycle } from '../../integration/integrationStatus.ts';
import { openStatuses, submissionLifecycle } from '../../review/submissionStatus.ts';
import { limits } from '../../shared/limits.ts';
import { isLateSql } from '../../sharing/revocationStatus.ts';
import { waitsAtEndpoint } from '../../outbox/deliveryStatus.ts';
import { isPresent, receivesNow } from '../../outbox/webhookEndpointStatus.ts';
import { isStillTried } from '../../webhook/delivery/stillTried.sql.ts';

/** Each statement counts at most as many rows as its last parameter says, the oldest first where an index has them in that order. */
export type Counted = { readonly count: number; readonly oldest: Date | null };

const summed = (oldest: string): string => `count(*)::int as count, min(${oldest}) as oldest`;

/** By svc_jobs_failed. */
export const failedJobsSql = `
select ${summed('created_at')}, count(*) filter (where attempts >= max_attempts and locked_at is null)::int as "givenUp"
  from (select created_at, attempts, max_attempts, locked_at from graphile_worker._private_jobs where last_error is not null order by id desc limit $1) j`;

/** By review_submission_turn. */
export const slowReviewsSql = `
select ${summed('waiting_since')}
  from (select s.waiting_since from review_submission s
         where ${submissionLifecycle.isIn(openStatuses, { row: 's' })} and s.waiting_for = 'reviewer' and s.waiting_since < $1
         order by s.waiting_since, s.id limit $2) s`;

/** By revocation_deadline. A deletion of test data is never overdue. */
export const overdueDeletionsSql = `
select ${summed('at')}, count(distinct client_number)::int as integrations
  from (select r.client_number, r.deletion_deadline_at as at from revocation r join client k on k.number = r.client_number
         where ${isLateSql({ row: 'r', now: '$1' })} and k.environment = 'production'
         order by r.deletion_deadline_at limit $2) r`;

/** What only an administrator can reactivate, which is what is told of it. By integration_status. */
export const suspendedSql = `
select ${summed('status_changed_at')}, min(slug) as slug
  from (select slug, status_changed_at from integration i where ${integrationLifecycle.mayStart('reactivateIntegration', { row: 'i' })} limit $1) i`;

/** Sandboxes are where receivers are tried out, so their failures are nobody else's business. */
const ofProduction = `join client k on k.number = p.client_number and k.environment = 'production'`;

/** By webhook_delivery_dead, for each endpoint. */
export const deadLettersSql = `
select ${summed('finished_at')}, count(distinct number)::int as endpoints
  from (select p.number, d.finished_at from webhook_endpoint p ${ofProduction}
         cross join lateral (select d.finished_at from webhook_delivery d
                              where ${waitsAtEndpoint}
                              order by d.finished_at limit $1) d
         where ${isPresent('p')} limit $1) found`;

/** By webhook_endpoint_failing. Where deliveries are held, only what is never held is still attempted. */
export const failingEndpointsSql = `
select ${summed('failing_since')}
  from (select p.failing_since from webhook_endpoint p ${ofProduction} join integration i on i.id = k.integration_id
         where p.failing_since < $1 and ${receivesNow('p')} and ${isStillTried} order by p.failing_since, p.number limit $2) p`;

/**
 * Mail that is not to be sent any more has no job, and what was handed over with an unknown outcome is a failed job, not late. The queue is
 * short, or this has found what it looks for.
 */
export const lateMailSql = `
select ${summed('created_at')}
  from (select m.created_at from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
          join mail m on m.id = j.payload ->> 'mailId' and m.sent_at is null and m.refused_at is null and m.created_at < $1 and m.handovers < ${limits.mailHandovers}
         where t.identifier = 'sendMail' order by j.id limit $2) m`;

/** Asked for and not yet approved. Of several, the one that has waited longest is linked. By account_reset_due. */
export const waitingResetsSql = `
select ${summed('requested_at')}, (array_agg(operator_id order by requested_at, id))[1] as "operatorId"
  from (select id, operator_id, requested_at from account_reset
         where cancelled_at is null and done_at is null and due_at is null and requested_at > $1 order by requested_at, id limit $2) r`;

const moves = [
  'production_gate.opened',
  'production_gate.closed',
  'integration.gate_opened',
  'integration.gate_closed',
] as const satisfies readonly AuditAction[];

/** By audit_entry_action. Where the service's own gate was moved, that is what is told of, with its time. */
export const gatesMovedSql = `
select count(*)::int as count,
       coalesce(max(e.occurred_at) filter (where e.integration_id is null), min(e.occurred_at)) as oldest, coalesce(bool_or(e.integration_id is null), false) as service,
       count(distinct e.integration_id)::int as integrations, min(i.slug) as slug
  from (select occurred_at, integration_id from audit_entry
         where action in (${moves.map((action) => `'${action}'`).join(', ')}) and occurred_at > $1 limit $2) e
  left join integration i on i.id = e.integration_id`;
