/**
 * Where each table would lie if Citus spread the clients over several servers (docs/capacity.md, “Beyond one PostgreSQL”). Tests hold the
 * schema and the hot statements to it. What is named nowhere here stays on the server that the processes are connected to, Citus's coordinator,
 * and has no column with a client.
 */

/**
 * Spread by `client_number`, which is the first column of each key, so that all rows of a client lie together: each table after those that it
 * refers to.
 */
export const spread = [
  'client_feed',
  'client_quota',
  'client_activity',
  'client_observation',
  'review_evidence',
  'usage_counter',
  'request_log',
  'sandbox_corpus',
  'sandbox_actions',
  'statistics_generation',
  'revocation',
  'acknowledgement_key',
  'connection',
  'shared_resource',
] as const;

/** Copied to every server (Citus's reference tables), each after those that it refers to: statements about one client read them there. */
export const copied = {
  integration: 'admission reads the status and the gate',
  client: 'admission reads the scopes, and what is spread refers to it',
  service_gate: 'admission reads its only row',
  certificate: 'admission finds it, and a serial is unique for its authority, not for a client',
  tracked_resource: 'a page reads the snapshots of many clients’ common orders and vehicles, which change once for all of them',
  tracked_change: 'a history is read with the share through which it is seen',
} as const;

/** Tables with a client that stay on the coordinator, and why. */
export const central = {
  link_code: 'a code is unique among those of all clients and counts attempts of any; it is gone soon after its ten minutes',
  quota_override: 'its trigger writes the copied row of the client; only administrators write it',
  webhook_endpoint: 'at most three of an integration; it may move between the integration’s two clients',
  webhook_event: 'events and deliveries are stored, sent and forgotten in batches of many clients, by one pump',
} as const;

/** Keys and triggers of spread or copied tables that are not as Citus wants them by itself, and what is done about it. */
export const exceptions = {
  request_log_pkey:
    'has the client’s number second, because administrators find a request by its own number; Citus only wants it in the key',
  revocation_stays_acknowledged: 'a trigger that reads nothing but its own row, so citus.enable_unsafe_triggers lets it be',
} as const;

/**
 * Hot statements that ask all clients, by a part of their text, and why. Citus refuses to lock rows of several clients in one statement, so
 * there `publish` would go client by client.
 */
export const asksAllClients = {
  'with affected as materialized':
    'a change locks the feeds of those with whom its resources are shared: one statement for a batch of up to 1,000',
  'with changed as':
    'a change moves these shares in one statement; client by client, orders of 1,000 clients changed at two thirds of the rate at best',
} as const;
