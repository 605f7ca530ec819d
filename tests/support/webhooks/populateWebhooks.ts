import type { World } from '../world/World.ts';
import { webhookEndpoint, type TestEndpoint } from './endpointRows.ts';
import { webhookDelivery } from './webhookFixtures.ts';

const hour = 3_600_000;

/** What became of a delivery, with its attempts. */
type Outcome = {
  readonly state: 'pending' | 'held' | 'delivered' | 'dead' | 'discarded';
  readonly reason?: string;
  readonly attempts: readonly { readonly status: number | null; readonly error?: string; readonly response?: string }[];
};

const outcomes: readonly Outcome[] = [
  { state: 'delivered', attempts: [{ status: 200 }] },
  { state: 'delivered', attempts: [{ status: null, error: 'timeout' }, { status: 503, response: 'Come back later.' }, { status: 204 }] },
  { state: 'pending', attempts: [{ status: null, error: 'connection_refused' }] },
  { state: 'held', reason: 'endpoint_not_active', attempts: [] },
  { state: 'discarded', reason: 'access_revoked', attempts: [] },
  { state: 'dead', reason: 'terminal_status', attempts: [{ status: 404, response: '<h1>Not found</h1>' }] },
];

/** Two sandbox endpoints with deliveries of every state: one works, and one has only failed for some hours. Returns one that is a dead letter. */
export async function populateWebhooks(world: World, clientNumber: number): Promise<{ endpointId: string; deliveryId: string }> {
  const endpoint = await webhookEndpoint(world, clientNumber, {
    url: 'https://hooks.example.com/orders?from=svc',
    payloadMode: 'full_payload',
  });
  const failing = await webhookEndpoint(world, clientNumber, { url: 'https://backup.example.com/' });
  const now = world.clock.now().getTime();
  let deliveryId = '';
  for (const [index, outcome] of outcomes.entries()) {
    deliveryId = await deliveryWith(world, clientNumber, endpoint, outcome, new Date(now - index * hour));
  }
  await world.rows('update webhook_endpoint set last_success_at = $2 where number = $1', [endpoint.number, new Date(now)]);
  await world.rows('update webhook_endpoint set failing_since = $2, failures_in_row = 9 where number = $1', [
    failing.number,
    new Date(now - 3 * hour),
  ]);
  await world.rows(
    `insert into webhook_attempt_hour (endpoint_number, hour, outcome, count, durations)
     select $1, h, o, 4, '{0,0,1,2,0,1,0,0,0,0,0,0,0}' from generate_series($2::timestamptz, $3::timestamptz, '1 hour') h, unnest('{delivered,retried}'::text[]) o`,
    [endpoint.number, new Date(Math.floor(now / hour) * hour - 30 * hour), new Date(now)],
  );
  await world.rows(
    `insert into webhook_attempt_hour (endpoint_number, hour, outcome, count, durations)
     select $1, h, 'retried', 3, '{0,0,1,2,0,0,0,0,0,0,0,0,0}' from generate_series($2::timestamptz, $3::timestamptz, '1 hour') h`,
    [failing.number, new Date(Math.floor(now / hour) * hour - 2 * hour), new Date(now)],
  );
  return { endpointId: endpoint.id, deliveryId };
}

async function deliveryWith(
  world: World,
  clientNumber: number,
  endpoint: TestEndpoint,
  { state, reason, attempts }: Outcome,
  at: Date,
): Promise<string> {
  const { id, number } = await webhookDelivery(world, { number: clientNumber }, endpoint, {
    type: 'resource.revoked',
    connectionId: 'con_0',
    revocationId: 'rev_0',
  });
  const open = state === 'pending' || state === 'held';
  await world.rows(
    `update webhook_delivery set state = $2, reason = $3, attempts = $4, created_at = $5, finished_at = case when $6 then null else $5::timestamptz end,
       next_attempt_at = case when $2 = 'pending' then $7::timestamptz end where number = $1`,
    [number, state, reason ?? null, attempts.length, at, open, new Date(world.clock.now().getTime() + hour)],
  );
  await world.rows('update webhook_event set occurred_at = $2 where id = (select event_id from webhook_delivery where number = $1)', [
    number,
    at,
  ]);
  for (const [index, { status, error, response }] of attempts.entries()) {
    await world.rows(
      `insert into webhook_attempt (delivery_number, number, endpoint_number, started_at, dns_us, connect_us, tls_us, first_byte_us, total_us, address, status, error, response, key_id)
       values ($1, $2, $3, $4, 900, 12000, 31000, 80000, 92000, '203.0.113.9', $5, $6, $7, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')`,
      [number, index + 1, endpoint.number, at, status, error ?? null, response ?? null],
    );
  }
  return id;
}
