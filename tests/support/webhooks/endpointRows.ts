import { newId } from '../../../server/domain/shared/ids.ts';
import { webhookEventTypes, type WebhookEventType } from '../../../server/domain/outbox/eventTypes.ts';
import type { WebhookEndpointStatus } from '../../../server/domain/outbox/webhookEndpointStatus.ts';
import type { Rows } from '../world/Rows.ts';

export type TestEndpoint = { readonly number: number; readonly id: string; readonly url: string };

type Described = {
  readonly url?: string;
  readonly payloadMode?: 'notification' | 'full_payload';
  readonly eventTypes?: readonly WebhookEventType[];
  readonly status?: WebhookEndpointStatus;
  readonly at?: Date;
  readonly description?: string;
};

/** An endpoint of the client that is proven and active, and subscribes to everything unless specified otherwise. */
export async function webhookEndpoint(
  database: Rows,
  clientNumber: number,
  {
    url = 'https://one.hooks.test/events',
    payloadMode = 'notification',
    eventTypes = webhookEventTypes,
    status = 'active',
    at = new Date(),
    description = 'Test',
  }: Described = {},
): Promise<TestEndpoint> {
  const id = newId('whk');
  const [row] = await database.rows<{ number: number }>(
    `insert into webhook_endpoint (id, integration_id, client_number, url, payload_mode, event_types, description, status, slot, created_at, created_by,
       proven_at, first_proven_at, status_changed_at, paused_by, removed_at)
     select $2, i.id, k.number, $3, $4, $5, $9, $6,
            case when $6 <> 'removed' then (select coalesce(max(slot), 0) + 1 from webhook_endpoint where integration_id = i.id) end,
            $7, i.operator_id, $8, $8, $7, case when $6 = 'paused' then 'owner' end, case when $6 = 'removed' then $7::timestamptz end
       from client k join integration i on i.id = k.integration_id where k.number = $1 returning number`,
    [clientNumber, id, url, payloadMode, [...eventTypes], status, at, status === 'registered' ? null : at, description],
  );
  if (!row) throw new Error(`There is no client ${clientNumber}.`);
  return { number: row.number, id, url };
}
