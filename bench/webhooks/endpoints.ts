import type pg from 'pg';
import { newId } from '../../server/domain/shared/ids.ts';
import { webhookEventTypes } from '../../server/domain/outbox/eventTypes.ts';

export type BenchEndpoint = { readonly number: number; readonly id: string; readonly clientNumber: number; readonly host: string };

/** An active endpoint for each client and host, in one mode, subscribed to everything. */
export async function createEndpoints(
  db: pg.Client,
  clients: readonly number[],
  hosts: readonly string[],
  mode: 'notification' | 'full_payload',
): Promise<BenchEndpoint[]> {
  const endpoints: BenchEndpoint[] = [];
  for (const [index, host] of hosts.entries()) {
    const id = newId('whk');
    const clientNumber = clients[index % clients.length] ?? 0;
    const { rows } = await db.query<{ number: number }>(
      `insert into webhook_endpoint (id, integration_id, client_number, url, payload_mode, event_types, description, status, slot, created_at, created_by,
         proven_at, first_proven_at, status_changed_at)
       select $1, c.integration_id, c.number, $2, $3, $4, '', 'active', (select count(*) + 1 from webhook_endpoint where integration_id = c.integration_id), now(),
              i.operator_id, now(), now(), now()
         from client c join integration i on i.id = c.integration_id where c.number = $5 returning number`,
      [id, `https://${host}/webhooks`, mode, webhookEventTypes, clientNumber],
    );
    endpoints.push({ number: rows[0]?.number ?? 0, id, clientNumber, host });
  }
  return endpoints;
}

/**
 * So many deliveries of `resource.updated`, due at once, evenly over the endpoints and over what is shared with their clients. One
 * transaction, announced like the product’s.
 */
export async function createDeliveries(db: pg.Client, endpoints: readonly BenchEndpoint[], count: number): Promise<void> {
  await db.query('begin');
  await db.query(
    `with target as materialized (
       select n, p.number as endpoint_number, p.client_number, 'evt_' || lpad(to_hex(n), 10, '0') || substr(md5(random()::text), 1, 16) as event_id,
              (n / cardinality($1::int[])) % s.count as place
         from generate_series(1, $2::int) n
         join lateral (select * from webhook_endpoint where number = ($1::int[])[1 + n % cardinality($1::int[])]) p on true
         join lateral (select count(*)::int as count from shared_resource where client_number = p.client_number and revocation_id is null) s on true),
     subject as materialized (
       select t.*, s.id as resource_id, s.connection_id, s.type from target t
         join (select client_number, id, connection_id, type, row_number() over (partition by client_number order by position) - 1 as place
                 from shared_resource where revocation_id is null) s on s.client_number = t.client_number and s.place = t.place),
     event as (
       insert into webhook_event (id, client_number, type, occurred_at, expires_at, connection_id, resource_id, resource_type)
       select event_id, client_number, 'resource.updated', now(), now() + interval '24 hours', connection_id, resource_id, type from subject)
     insert into webhook_delivery (id, endpoint_number, event_id, type, next_attempt_at, window_ends_at, created_at, connection_id, resource_id)
     select 'dlv_' || substr(event_id, 5), endpoint_number, event_id, 'resource.updated', now(), now() + interval '24 hours', now(), connection_id, resource_id
       from subject`,
    [endpoints.map(({ number }) => number), count],
  );
  await db.query(`select pg_notify('webhook_due', $1)`, [endpoints.map(({ number }) => number).join(',')]);
  await db.query('commit');
}

/** Waits until no delivery is pending. */
export async function allEnded(db: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ pending: boolean }>(
      `select exists (select from webhook_delivery where state = 'pending') as pending`,
    );
    if (!rows[0]?.pending) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
