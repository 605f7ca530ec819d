import type { EntityManager } from '@mikro-orm/postgresql';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';
import type { Failed } from '../failureCause.ts';
import {
  type DeadLetter,
  deadLetterColumns,
  deadLetterOf,
  type DeadLetterRow,
  deadLetterSql,
  lastFailureColumns,
  lastFailureOf,
  type LastFailureRow,
  lastFailureSql,
} from './lastFailure.ts';
import { deliveryLifecycle, type DeliveryState, waitsAtEndpoint } from '../../outbox/deliveryStatus.ts';

/** How an endpoint is at this moment. Nothing is counted beyond `webhookLimits.countedDeliveries`. */
export type EndpointHealth = {
  readonly lastSuccessAt: Date | null;
  /** Since when every attempt has failed; null if the last one succeeded. */
  readonly failingSince: Date | null;
  readonly failuresInRow: number;
  /** Deliveries that wait for their next attempt, that are held, and dead letters that no replay has replaced, without those of test events. */
  readonly waiting: number;
  readonly held: number;
  readonly dead: number;
  readonly nextAttemptAt: Date | null;
  /** What the last attempt came to at something that has not arrived. */
  readonly lastFailure: Failed | null;
  readonly deadLetter: DeadLetter | null;
};

const isIn = (state: DeliveryState) => `d.endpoint_number = p.number and ${deliveryLifecycle.isIn([state], { row: 'd' })}`;
const counted = (condition: string) => `(select count(*)::int from (select 1 from webhook_delivery d where ${condition} limit $2) found)`;

/** Indexes webhook_delivery_due, webhook_delivery_held and webhook_delivery_dead, the beginning or the end of each. */
const healthSql = `
select p.number, p.failures_in_row as "failuresInRow", p.last_success_at as "lastSuccessAt", p.failing_since as "failingSince",
       ${counted(isIn('pending'))} as waiting, ${counted(isIn('held'))} as held, ${counted(waitsAtEndpoint)} as dead,
       (select d.next_attempt_at from webhook_delivery d where ${isIn('pending')} order by d.next_attempt_at limit 1) as "nextAttemptAt", ${lastFailureColumns}, ${deadLetterColumns}
  from webhook_endpoint p ${lastFailureSql()} ${deadLetterSql} where p.number = any ($1::int[])`;

type Row = Omit<EndpointHealth, 'lastFailure' | 'deadLetter'> & LastFailureRow & DeadLetterRow & { readonly number: number };

/** The health of each of these endpoints, which exist. */
export async function endpointHealths(em: EntityManager, endpointNumbers: readonly number[]): Promise<EndpointHealth[]> {
  const rows = new Map((await sql<Row>(em, healthSql, [endpointNumbers, webhookLimits.countedDeliveries])).map((row) => [row.number, row]));
  return endpointNumbers.map((number) => {
    const row = rows.get(number);
    if (!row) throw new Error(`There is no endpoint ${number}.`);
    const { number: _, failureStatus, failureError, failureReason, deadStatus, deadError, deadReason, deadAt, ...health } = row;
    return {
      ...health,
      lastFailure: lastFailureOf({ failureStatus, failureError, failureReason }),
      deadLetter: deadLetterOf({ deadStatus, deadError, deadReason, deadAt }),
    };
  });
}
