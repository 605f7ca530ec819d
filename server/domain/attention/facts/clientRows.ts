import type { EntityManager } from '@mikro-orm/postgresql';
import { quotas, quotaWindows } from '../../client/quotas.ts';
import { usageLimits } from '../../usage/usageLimits.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { plannedOnce, sql } from '../../shared/sql.ts';
import {
  deadLetterColumns,
  deadLetterOf,
  type DeadLetterRow,
  deadLetterSql,
  lastFailureColumns,
  lastFailureOf,
  type LastFailureRow,
  lastFailureSql,
} from '../../webhook/endpoint/lastFailure.ts';
import { failsUnheld } from '../../webhook/delivery/stillTried.sql.ts';
import type { Failed } from '../../webhook/failureCause.ts';
import { isRefusal } from '../../usage/traffic.ts';
import { deliveryLifecycle, type DeliveryState, waitsAtEndpoint } from '../../outbox/deliveryStatus.ts';
import { isPresent, receivesNow, webhookEndpointLifecycle } from '../../outbox/webhookEndpointStatus.ts';
import type { ErrorCode } from '../../shared/errorCatalogue.ts';
import { areFewRefused } from './refusedShare.ts';
import type { CertificateFacts, ClientFacts, DeliveryFacts, EndpointFacts, Refusal, RefusedFor } from './IntegrationFacts.ts';

const hour = 60 * 60 * 1000;

/** By the unique index (client_number, slot), and the primary key of certificate_activity. */
const certificatesSql = `
select c.client_number as "clientNumber", c.id, c.status, c.usable_until as "usableUntil", c.issued_at as "issuedAt",
       a.last_used_at as "lastUsedAt"
  from certificate c left join certificate_activity a on a.certificate_id = c.id
 where c.client_number = any ($1::int[]) and c.slot is not null order by c.requested_at desc, c.id desc`;

type CertificateRow = { clientNumber: number; id: string; status: 'pending' | 'issued' } & Record<
  'usableUntil' | 'issuedAt' | 'lastUsedAt',
  Date | null
>;

/** The certificates in the slots of these clients. */
export async function certificatesOf(em: EntityManager, clientNumbers: readonly number[]): Promise<Map<number, CertificateFacts[]>> {
  const rows = await sql<CertificateRow>(em, certificatesSql, [clientNumbers]);
  return grouped(rows, (row) => row);
}

/** A range of the primary key for each client. */
const requestsSql = `
select client_number as "clientNumber", route as operation, sum(count)::int as requests,
       coalesce(sum(count) filter (where ${isRefusal}), 0)::int as refused,
       coalesce(sum(count) filter (where status = 401), 0)::int as "refusedCertificates"
  from usage_counter where client_number = any ($1::int[]) and hour >= $2 group by client_number, route`;

const lastOf = (classes: string, condition: string) => `
  (select r.occurred_at as at, r.problem_code as problem from unnest(array[${classes}]) class
    cross join lateral (select l.occurred_at, l.problem_code from request_log l
                         where l.client_number = wanted.number and l.route = wanted.operation and l.status / 100::smallint = class
                           and l.occurred_at >= wanted.since and l.occurred_at < $4::timestamptz and ${condition}
                         order by l.occurred_at desc, l.request_id desc limit 1) r
    order by r.occurred_at desc limit 1)`;

/** By request_log_route: the end of a range for each class of answers. The times leave out all other days’ partitions. */
const lastAnswersSql = plannedOnce(
  'request_log_last_answers',
  `
select wanted.number as "clientNumber", wanted.operation, refusal.at as "refusedAt", refusal.problem as "refusedFor", answer.at as "answeredAt"
  from unnest($1::int[], $2::text[], $3::timestamptz[]) wanted(number, operation, since)
 cross join lateral ${lastOf('4, 5', isRefusal)} refusal left join lateral ${lastOf('2, 3', 'true')} answer on true`,
);

/** By request_log_route, as far as so many refusals go. */
const reasonsSql = plannedOnce(
  'request_log_reasons',
  `
select wanted.number as "clientNumber", r.problem_code as problem, count(*)::int as count
  from unnest($1::int[], $2::text[], $3::timestamptz[]) wanted(number, operation, since) cross join unnest(array[4, 5]) class
 cross join lateral (select l.problem_code from request_log l
                      where l.client_number = wanted.number and l.route = wanted.operation and l.status / 100::smallint = class
                        and l.occurred_at >= wanted.since and l.occurred_at < $4::timestamptz and ${isRefusal}
                      order by l.occurred_at desc, l.request_id desc limit $5) r
 group by 1, 2 order by 1, 3 desc, 2`,
);

type Reason = { readonly clientNumber: number; readonly problem: ErrorCode | null; readonly count: number };

/** Why the requests of these clients were refused that are not over, where the log has all of them. */
async function reasonsOf(
  em: EntityManager,
  { found, open, now }: { found: ReadonlyMap<number, Requests>; open: readonly Since[]; now: Date },
): Promise<Map<number, RefusedFor[]>> {
  const most = usageLimits.refusalsCounted;
  const wanted = open.filter(({ clientNumber }) => {
    const { requests = 0, refused = 0 } = found.get(clientNumber) ?? {};
    return refused <= most && !areFewRefused({ requests, refused });
  });
  if (wanted.length === 0) return new Map();
  const rows = grouped(await sql<Reason>(em, reasonsSql, [...columnsOf(wanted), new Date(now.getTime() + hour), most]), (row) => row);
  return new Map(
    [...rows].flatMap(([clientNumber, reasons]) => {
      const known = reasons.flatMap(({ problem, count }) => (problem === null ? [] : { problem, count }));
      const all = known.reduce((sum, { count }) => sum + count, 0) === found.get(clientNumber)?.refused;
      return all ? [[clientNumber, known] as const] : [];
    }),
  );
}

type Requests = Pick<ClientFacts, 'requests' | 'refused' | 'refusedCertificates' | 'refusedBefore' | 'lastRefusal' | 'refusedFor'>;
type OfOperation = { readonly clientNumber: number; readonly operation: string };
type Counts = OfOperation & Omit<Requests, 'refusedBefore' | 'lastRefusal' | 'refusedFor'>;
type LastAnswers = OfOperation & { readonly refusedAt: Date; readonly refusedFor: ErrorCode | null; readonly answeredAt: Date | null };

/** Of a client without a request in that time. */
export const nothingAsked: Requests = {
  requests: 0,
  refused: 0,
  refusedCertificates: 0,
  refusedBefore: 0,
  lastRefusal: null,
  refusedFor: [],
};

/** What these clients asked for in the present and the previous hour. `opened`: since when those of production have been answered. */
export async function requestsOf(
  em: EntityManager,
  { clientNumbers, opened, now }: { clientNumbers: readonly number[]; opened: ReadonlyMap<number, Date>; now: Date },
): Promise<Map<number, Requests>> {
  const since = new Date((Math.floor(now.getTime() / hour) - 1) * hour);
  const rows = await sql<Counts>(em, requestsSql, [clientNumbers, since]);
  const last = await lastAnswers(
    em,
    rows.filter(({ refused }) => refused > 0).map((row) => ({ ...row, since })),
    now,
  );
  const timesOf = new Map(last.map((each) => [nameOf(each), each]));
  const found = new Map<number, Requests>();
  const open: Since[] = [];
  for (const { clientNumber, operation, requests, refused, refusedCertificates } of rows) {
    const sum = found.get(clientNumber) ?? nothingAsked;
    // Nearly none has been refused anything, so no name is made for the others.
    const times = refused > 0 ? timesOf.get(nameOf({ clientNumber, operation })) : undefined;
    // Not every refusal of a flood is in the log, so one that it does not have is not over.
    const isOver =
      times !== undefined &&
      times.refusedAt.getTime() < Math.max(times.answeredAt?.getTime() ?? 0, opened.get(clientNumber)?.getTime() ?? 0);
    if (refused > 0 && !isOver) open.push({ clientNumber, operation, since });
    found.set(clientNumber, {
      requests: sum.requests + requests,
      refused: sum.refused + (isOver ? 0 : refused),
      refusedCertificates: sum.refusedCertificates + (isOver ? 0 : refusedCertificates),
      refusedBefore: sum.refusedBefore + (isOver ? refused : 0),
      lastRefusal: isOver ? sum.lastRefusal : later(sum.lastRefusal, times && { at: times.refusedAt, problem: times.refusedFor }),
      refusedFor: [],
    });
  }
  for (const [clientNumber, refusedFor] of await reasonsOf(em, { found, open, now })) {
    found.set(clientNumber, { ...(found.get(clientNumber) ?? nothingAsked), refusedFor });
  }
  return found;
}

function later(one: Refusal | null, other: Refusal | undefined): Refusal | null {
  return other && (one === null || other.at > one.at) ? other : one;
}

const nameOf = ({ clientNumber, operation }: OfOperation): string => `${clientNumber} ${operation}`;

type Since = OfOperation & { readonly since: Date };

async function lastAnswers(em: EntityManager, wanted: readonly Since[], now: Date): Promise<LastAnswers[]> {
  if (wanted.length === 0) return [];
  return sql<LastAnswers>(em, lastAnswersSql, [...columnsOf(wanted), new Date(now.getTime() + hour)]);
}

const columnsOf = (wanted: readonly Since[]) =>
  [wanted.map((each) => each.clientNumber), wanted.map((each) => each.operation), wanted.map((each) => each.since)] as const;

type Activity = { readonly number: number; readonly lastRequestAt: Date | null; readonly lastSyncAt: Date | null };

/**
 * The last sync of each of these clients that was refused, where none has been answered since, nor production opened, as far as the log goes
 * back.
 */
export async function refusedSyncs(
  em: EntityManager,
  { clients, opened, now }: { clients: readonly Activity[]; opened: ReadonlyMap<number, Date>; now: Date },
): Promise<Map<number, Refusal>> {
  const kept = now.getTime() - usageLimits.requestLogKept;
  const sinceOf = ({ number, lastSyncAt }: Activity) => Math.max(lastSyncAt?.getTime() ?? 0, opened.get(number)?.getTime() ?? 0, kept);
  const wanted = clients
    .filter((client) => client.lastRequestAt !== null && client.lastRequestAt.getTime() > sinceOf(client))
    .map((client) => ({ clientNumber: client.number, operation: 'getSync', since: new Date(sinceOf(client)) }));
  const rows = await lastAnswers(em, wanted, now);
  return new Map(
    rows
      .filter(({ refusedAt, answeredAt }) => answeredAt === null || answeredAt < refusedAt)
      .map(({ clientNumber, refusedAt, refusedFor }) => [clientNumber, { at: refusedAt, problem: refusedFor }]),
  );
}

/** By the primary key. */
const calledSinceSql = `
select wanted.number as "clientNumber", first.hour as hour
  from unnest($1::int[]) wanted(number) cross join lateral (select u.hour from usage_counter u where u.client_number = wanted.number order by u.hour limit 1) first`;

/** The hour of the first request of each of these clients that has called, but never synced. */
export async function calledSince(em: EntityManager, clients: readonly Activity[]): Promise<Map<number, Date>> {
  const wanted = clients
    .filter(({ lastRequestAt, lastSyncAt }) => lastRequestAt !== null && lastSyncAt === null)
    .map(({ number }) => number);
  if (wanted.length === 0) return new Map();
  const rows = await sql<{ clientNumber: number; hour: Date }>(em, calledSinceSql, [wanted]);
  return new Map(rows.map(({ clientNumber, hour: first }) => [clientNumber, first]));
}

const isIn = (state: DeliveryState) => `d.endpoint_number = p.number and ${deliveryLifecycle.isIn([state], { row: 'd' })}`;
const counted = (condition: string) => `(select count(*)::int from (select 1 from webhook_delivery d where ${condition} limit $2) found)`;

const isPaused = webhookEndpointLifecycle.where(({ receives }) => receives === 'notNow', { row: 'p' });
/** What the last failure was is told of those alone. */
const mayFail = `(p.failing_since is not null or not ${receivesNow('p')})`;

/** By webhook_endpoint_client. */
const deliveriesSql = plannedOnce(
  'delivery_facts',
  `
select client_number as "clientNumber", count(*)::int as endpoints, max(last_success_at) as "lastSuccessAt"
  from webhook_endpoint where client_number = any ($1::int[]) and ${isPresent()} group by client_number`,
);

/** Of a client without an endpoint. */
export const noDeliveries: DeliveryFacts = { endpoints: 0, lastSuccessAt: null };

/** How many endpoints each of these clients has, and when one of them last received something. */
export async function deliveriesOf(em: EntityManager, clientNumbers: readonly number[]): Promise<Map<number, DeliveryFacts>> {
  const rows = await sql<DeliveryFacts & { clientNumber: number }>(em, deliveriesSql, [clientNumbers]);
  const found = new Map<number, DeliveryFacts>();
  for (const { clientNumber, endpoints, lastSuccessAt } of rows) found.set(clientNumber, { endpoints, lastSuccessAt });
  return found;
}

/** By webhook_endpoint_client, webhook_delivery_held and webhook_delivery_dead, and what `lastFailureSql` and `deadLetterSql` name. */
const endpointsSql = plannedOnce(
  'endpoint_facts',
  `
select p.client_number as "clientNumber", p.id, p.url, p.status, p.paused_by as "pausedBy", p.failures_in_row as "failuresInRow",
       p.status_changed_at as "statusChangedAt", p.failing_since as "failingSince", p.failing_since is not null and ${failsUnheld} as "failsUnheld",
       case when ${isPaused} then ${counted(isIn('held'))} else 0 end as held, ${counted(waitsAtEndpoint)} as dead, ${lastFailureColumns}, coalesce(f.retried, false) as retried, ${deadLetterColumns}
  from webhook_endpoint p ${lastFailureSql(mayFail)} ${deadLetterSql} where p.client_number = any ($1::int[]) and ${isPresent('p')}
   and (${mayFail} or exists (select from webhook_delivery d where ${waitsAtEndpoint})) order by p.number`,
);

type EndpointRow = Omit<EndpointFacts, 'lastFailure' | 'deadLetter' | 'deadFor'> &
  LastFailureRow &
  DeadLetterRow & { clientNumber: number };

/** Of how many dead letters of an endpoint the causes are counted. */
const causesCounted = 20;

/** By the key of the endpoints, webhook_delivery_dead and the primary key of webhook_attempt. */
const causesSql = plannedOnce(
  'dead_letter_causes',
  `
select p.id, a.status, a.error, d.reason, count(*)::int as count
  from webhook_endpoint p join webhook_delivery d on ${waitsAtEndpoint} left join webhook_attempt a on a.delivery_number = d.number and a.number = d.attempts
 where p.id = any ($1::text[]) and num_nonnulls(a.status, a.error, d.reason) > 0 group by 1, 2, 3, 4 order by count desc, 2, 3, 4`,
);

type CauseRow = Failed & { readonly id: string; readonly count: number };

/** The endpoints of these clients of which there is more to say than when they last received something. */
export async function endpointsOf(em: EntityManager, clientNumbers: readonly number[]): Promise<Map<number, EndpointFacts[]>> {
  const rows = await sql<EndpointRow>(em, endpointsSql, [clientNumbers, webhookLimits.countedDeliveries]);
  const asked = rows.filter(({ dead }) => dead > 0 && dead <= causesCounted).map(({ id }) => id);
  const causes = Map.groupBy(asked.length > 0 ? await sql<CauseRow>(em, causesSql, [asked]) : [], ({ id }) => id);
  return grouped(rows, ({ failureStatus, failureError, failureReason, deadStatus, deadError, deadReason, deadAt, ...rest }) => ({
    ...rest,
    deadFor: causes.get(rest.id) ?? [],
    lastFailure: lastFailureOf({ failureStatus, failureError, failureReason }),
    deadLetter: deadLetterOf({ deadStatus, deadError, deadReason, deadAt }),
  }));
}

const usedOf = quotaWindows.map(
  ({ name, quota, seconds }) =>
    `('${name}', case when q.${name}_start > $2::timestamptz - interval '${seconds} seconds' then q.${name}_count else 0 end, '${quota}', ${quotas[quota].baseline})`,
);

/** By the primary key, and quota_override_current. */
const quotasSql = plannedOnce(
  'quota_facts',
  `
select q.client_number as "clientNumber", w.name, coalesce(o.value, w.baseline)::int as "limit", greatest(coalesce(o.value, w.baseline) - w.used, 0)::int as "left"
  from client_quota q cross join lateral (values ${usedOf.join(', ')}) w (name, used, quota, baseline)
  left join quota_override o on o.client_number = q.client_number and o.quota = w.quota and o.withdrawn_at is null and (o.expires_at is null or o.expires_at > $2)
 where q.client_number = any ($1::int[]) and w.used > 0`,
);

/** What is left of the quotas of each of these clients that has used any. */
export async function usedQuotas(
  em: EntityManager,
  clientNumbers: readonly number[],
  now: Date,
): Promise<Map<number, ClientFacts['quotas'][number][]>> {
  const rows = await sql<ClientFacts['quotas'][number] & { clientNumber: number }>(em, quotasSql, [clientNumbers, now]);
  return grouped(rows, ({ name, limit, left }) => ({ name, limit, left }));
}

function grouped<Row extends { readonly clientNumber: number }, Facts>(
  rows: readonly Row[],
  map: (row: Row) => Facts,
): Map<number, Facts[]> {
  const found = new Map<number, Facts[]>();
  for (const row of rows) {
    const known = found.get(row.clientNumber);
    if (known) known.push(map(row));
    else found.set(row.clientNumber, [map(row)]);
  }
  return found;
}
