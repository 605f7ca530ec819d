import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import type { PayloadMode } from '../endpoint/WebhookEndpoint.ts';
import type { OutboundErrorKind } from '../WebhookTransport.ts';

/** One attempt at a delivery. Durations are in milliseconds, null where the attempt did not come to the phase or needed none. */
export type Attempt = {
  readonly number: number;
  readonly startedAt: Date;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
  readonly totalMs: number;
  readonly address: string | null;
  readonly status: number | null;
  readonly error: OutboundErrorKind | null;
  readonly responseText: string | null;
  readonly keyId: string | null;
  readonly url: string | null;
  readonly payloadMode: PayloadMode | null;
  /** Of the snapshot, if one was sent. */
  readonly revision: string | null;
  /** The body's, in base64. */
  readonly bodySha256: string | null;
};

const milliseconds = (column: string) => `${column} / 1000.0::float8`;

/** By the primary key. */
const attemptsSql = `
select delivery_number::float8 as "deliveryNumber", number, started_at as "startedAt", ${milliseconds('dns_us')} as "dnsMs", ${milliseconds('connect_us')} as "connectMs",
       ${milliseconds('tls_us')} as "tlsMs", ${milliseconds('first_byte_us')} as "firstByteMs", ${milliseconds('total_us')} as "totalMs", host(address) as address, status, error,
       response as "responseText", key_id as "keyId", url, payload_mode as "payloadMode", revision::text as revision, body_sha256 as "bodySha256"
  from webhook_attempt where delivery_number = any ($1::bigint[]) order by delivery_number, number`;

type Row = Attempt & { readonly deliveryNumber: number };

/** The attempts at each of these deliveries, in order. */
export async function attemptsOf(em: EntityManager, deliveryNumbers: readonly number[]): Promise<Attempt[][]> {
  const rows = await sql<Row>(em, attemptsSql, [deliveryNumbers]);
  const found = Map.groupBy(rows, ({ deliveryNumber }) => deliveryNumber);
  return deliveryNumbers.map((number) => found.get(number) ?? []);
}

/** What the last attempt at a delivery came to. */
export type LastAttempt = Pick<Attempt, 'status' | 'error' | 'totalMs'>;

/** By the primary key, from its end. */
const lastAttemptsSql = `
select a.delivery_number::float8 as "deliveryNumber", a.status, a.error, ${milliseconds('a.total_us')} as "totalMs"
  from unnest($1::bigint[]) asked (number)
  cross join lateral (select * from webhook_attempt where delivery_number = asked.number order by number desc limit 1) a`;

/** The last attempt at each of these deliveries; null where there is none yet. */
export async function lastAttemptsOf(em: EntityManager, deliveryNumbers: readonly number[]): Promise<(LastAttempt | null)[]> {
  const rows = await sql<LastAttempt & { readonly deliveryNumber: number }>(em, lastAttemptsSql, [deliveryNumbers]);
  const found = new Map(rows.map((row) => [row.deliveryNumber, row]));
  return deliveryNumbers.map((number) => found.get(number) ?? null);
}
