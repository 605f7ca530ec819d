import { newId } from '../../../server/domain/shared/ids.ts';
import type { DeliveryState } from '../../../server/domain/outbox/deliveryStatus.ts';
import type { WebhookEventType } from '../../../server/domain/outbox/eventTypes.ts';
import type { Rows } from '../world/Rows.ts';

type Described = {
  readonly endpoint: { readonly number: number };
  readonly clientNumber: number;
  readonly state: DeliveryState;
  readonly type?: WebhookEventType;
  readonly at?: Date;
  readonly reason?: string | null;
  readonly resourceId?: string | null;
  readonly attempts?: number;
  readonly test?: boolean;
  /** To each attempt; that there is nobody, unless specified otherwise. */
  readonly answer?: { readonly status: number; readonly response: string | null };
};

const hour = 60 * 60 * 1000;

/** An event with one delivery in this state, as if it had happened at a moment. Attempts are a second apart. */
export async function storedDelivery(database: Rows, described: Described): Promise<{ readonly id: string; readonly eventId: string }> {
  const {
    endpoint,
    clientNumber,
    state,
    type = 'connection.created',
    at = new Date(),
    reason = null,
    resourceId = null,
    attempts = 0,
    test = false,
    answer = { status: 404, response: 'Nobody here' },
  } = described;
  const [id, eventId] = [newId('dlv'), newId('evt')];
  const ends = new Date(at.getTime() + 7 * 24 * hour);
  await database.rows(
    `insert into webhook_event (id, client_number, type, occurred_at, expires_at, connection_id, resource_id, resource_type, test)
     values ($1, $2, $3, $4, $5, $6, $7, case when $7::text is not null then 'order' end, $8)`,
    [eventId, clientNumber, type, at, ends, newId('con'), resourceId, test],
  );
  const [row] = await database.rows<{ number: string }>(
    `insert into webhook_delivery (id, endpoint_number, event_id, type, state, attempts, next_attempt_at, window_ends_at, created_at, reason, finished_at, test)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning number`,
    [
      id,
      endpoint.number,
      eventId,
      type,
      state,
      attempts,
      state === 'pending' ? at : null,
      ends,
      at,
      reason ?? (state === 'dead' ? 'terminal_status' : state === 'held' ? 'gate_closed' : state === 'discarded' ? 'access_revoked' : null),
      state === 'pending' || state === 'held' ? null : at,
      test,
    ],
  );
  await database.rows(
    `insert into webhook_attempt (delivery_number, number, endpoint_number, started_at, dns_us, connect_us, tls_us, first_byte_us, total_us, address, status, response, key_id)
     select $1, n, $2, $3::timestamptz + n * interval '1 second', 1500, 2000, 3000, 4250, 12000, '198.51.100.7', $5, $6, 'kid' from generate_series(1, $4) n`,
    [row?.number, endpoint.number, at, attempts, answer.status, answer.response],
  );
  return { id, eventId };
}
