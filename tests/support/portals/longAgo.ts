import type { PortalWorld } from '../world/openWorld.ts';

/** What tells when something happened to an integration, its test data and its reviews, in the tables that name it by `of`. */
const times: readonly { readonly table: string; readonly of: string; readonly columns: readonly string[] }[] = [
  { table: 'integration', of: 'id', columns: ['created_at', 'status_changed_at', 'production_gate_changed_at'] },
  { table: 'client', of: 'integration_id', columns: ['created_at'] },
  { table: 'profile_version', of: 'integration_id', columns: ['created_at', 'attribution_accepted_at', 'non_commercial_accepted_at'] },
  { table: 'review_submission', of: 'integration_id', columns: ['submitted_at', 'waiting_since', 'taken_at', 'decided_at'] },
  { table: 'audit_entry', of: 'integration_id', columns: ['occurred_at'] },
  { table: 'mail', of: 'integration_id', columns: ['created_at'] },
];
const ofClients = [
  { table: 'sandbox_corpus', columns: ['requested_at', 'started_at', 'ready_at'] },
  { table: 'connection', columns: ['created_at'] },
  { table: 'shared_resource', columns: ['updated_at'] },
  { table: 'revocation', columns: ['revoked_at'] },
  { table: 'certificate', columns: ['requested_at', 'issued_at', 'not_before', 'not_after', 'usable_until'] },
] as const;
const ofSubmissions = [
  { table: 'review_verdict', columns: ['given_at'] },
  { table: 'review_message', columns: ['written_at'] },
] as const;

/**
 * Moves what has become of an integration so far, and the service’s gate, so many days back. Otherwise all its pages would tell of one minute, and of
 * deadlines that passed before there was anything.
 */
export async function moveBack(application: PortalWorld, slug: string, days: number): Promise<void> {
  const integration = `select id from integration where slug = '${slug}'`;
  const back = (columns: readonly string[]) => columns.map((each) => `${each} = ${each} - interval '${days} days'`).join(', ');
  const within = (table: string, columns: readonly string[], where: string) => `update ${table} set ${back(columns)} where ${where};`;
  // The trail’s rows can be written once only, except in this mode.
  await application.rows(`begin; set local session_replication_role = replica;
    ${times.map(({ table, of, columns }) => within(table, columns, `${of} in (${integration})`)).join('\n')}
    ${ofClients.map(({ table, columns }) => within(table, columns, `client_number in (select number from client where integration_id in (${integration}))`)).join('\n')}
    ${ofSubmissions.map(({ table, columns }) => within(table, columns, `submission_id in (select id from review_submission where integration_id in (${integration}))`)).join('\n')}
    ${within('service_gate', ['changed_at'], 'true')}
    ${within('audit_entry', ['occurred_at'], "action in ('production_gate.opened', 'production_gate.closed')")}
    commit`);
}
