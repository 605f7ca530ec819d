import { keyPurposesOf } from '../keyRing.ts';
import type { DatabaseRole } from './roleNames.ts';

/**
 * What a process may do with a table: verbs, each for all columns or for those in parentheses. A row can be locked by a role that may update
 * one of its columns. What is not named here is revoked by each `oi migrate`.
 */
type TableGrants = { readonly [Role in DatabaseRole]?: string };
type RowRules = { readonly [Role in DatabaseRole]?: { readonly see: string; readonly add: string } };

/** What the processes of a release need. Recorded with each release, so that the next one goes on granting it. */
export type Rights = {
  readonly tables: Readonly<Record<string, TableGrants>>;
  readonly functions: Readonly<Record<string, readonly DatabaseRole[]>>;
  readonly rows: Readonly<Record<string, RowRules>>;
};

const read = 'select';
const add = 'select, insert';
const change = 'select, insert, update';
const all = 'select, insert, update, delete';

/**
 * Every table of the service, and what each process may do with it (docs/operating.md, “Roles”). Three rules hold throughout:
 * - The audit trail and the evidence are added to and read. Only the owner could alter them.
 * - Private keys are read by the workers alone, who sign.
 * - The machine API changes only counters and what it observes itself. Connections, certificates, jobs and mails come about in functions of
 *   the owner's that judge for themselves (`functions`), because this process may be the first to be broken into.
 */
export const tables: Rights['tables'] = {
  acknowledgement_key: { machine_api: change, workers: all },
  // Who asked, who approved and the proof stay as they were written.
  account_reset: {
    portal: 'select, insert, update(approved_by, approved_at, due_at, cancelled_at, done_at)',
    workers: 'select(id, operator_id, due_at, cancelled_at, done_at)',
  },
  attempt_window: { portal: all, workers: 'select, update(count), delete' },
  audit_entry: { portal: add, workers: add },
  audit_export: {},
  business_model_report: { portal: add, workers: read },
  // Whole, because rights on single columns are checked one by one: they cost each admission a twentieth.
  certificate: { portal: change, machine_api: read, workers: 'select, update' },
  certificate_activity: { portal: read, machine_api: 'select, insert, update(last_used_at)', workers: read },
  certificate_authority: {
    portal: 'select(id, kind, issuer_id, certificate_pem, has_key, not_after, created_at, retired_at, revoked_at, crl_number)',
    machine_api: 'select(id, kind, issuer_id, certificate_pem, not_after, revoked_at)',
    workers: change,
  },
  certificate_revocation_list: { portal: read, workers: change },
  client: { portal: change, machine_api: read, workers: 'select, update(created_at)' },
  client_activity: { portal: read, machine_api: 'select, insert, update(last_request_at, last_sync_at)', workers: read },
  client_feed: { portal: change, machine_api: read, workers: 'select, update' },
  client_observation: { portal: read, machine_api: 'select, insert, update(state)' },
  client_quota: {
    portal: add,
    machine_api:
      'select, update(hour_start, hour_count, minute_start, minute_count, statistics_start, statistics_count, redeem_start, redeem_count, est_start, est_count, leases)',
    workers: read,
  },
  commercial_agreement: { portal: change, workers: read },
  connection: { portal: 'select, update', machine_api: 'select(client_number, id, revocation_id, position)', workers: all },
  development_mail: { portal: read, workers: add },
  email_change: { portal: all, workers: read },
  health_judgement: { portal: read, workers: change },
  integration: { portal: change, machine_api: read, workers: 'select, update' },
  issuing_authority_request: {},
  key_ring_entry: { portal: add, machine_api: add, workers: add },
  link_code: { portal: change, workers: 'select, update, delete' },
  link_code_resource: { portal: add, workers: read },
  logo: { portal: add },
  mail: { portal: 'select, insert, update(read_at, handovers), delete', workers: all },
  migration: { portal: read, machine_api: read, workers: read },
  operator: {
    portal: change,
    workers: 'select(id, email, email_key, roles, created_at, deleted_at, muted_notifications, locked_at)',
  },
  page_check: { portal: change, workers: 'select, update, delete' },
  p12_package: { portal: change, workers: 'select, update' },
  passkey: { portal: all },
  portal_session: { portal: all },
  profile_version: { portal: add, workers: read },
  quota_override: { portal: change, workers: read },
  recovery_code: { portal: all },
  redeem_source: { machine_api: change, workers: 'select, update(count), delete' },
  request_log: {
    portal: read,
    machine_api: 'select(client_number, occurred_at, request_id, route, status), insert',
    workers: read,
  },
  request_log_default: { workers: 'select, update(duration_ms), delete' },
  review_draft: { portal: all, workers: 'select, update(saved_at), delete' },
  review_evidence: { portal: read },
  review_message: { portal: add, workers: read },
  review_submission: { portal: change, workers: read },
  review_verdict: { portal: all, workers: 'select(submission_id, met)' },
  review_visit: { portal: all, workers: 'select, update(seen_at), delete' },
  revocation: {
    portal: change,
    machine_api: read,
    workers: all,
  },
  sandbox_actions: { portal: change },
  sandbox_corpus: { portal: change, workers: 'select, update' },
  service_gate: { portal: 'select, update', machine_api: read, workers: read },
  service_token: { portal: change },
  shared_resource: { portal: change, machine_api: read, workers: all },
  statistics_generation: {
    portal: change,
    machine_api: 'select(client_number, id, published_at, period_from, period_to, minimum_group_size, groups)',
    workers: all,
  },
  submission_draft: { portal: all, workers: 'select, update(saved_at), delete' },
  terms_acceptance: { portal: change, workers: read },
  terms_version: { portal: add, workers: read },
  tracked_change: { portal: 'select, insert, delete', machine_api: read, workers: add },
  tracked_resource: {
    portal: all,
    machine_api: 'select(id, type, core, shipping, history_complete)',
    workers: all,
  },
  usage_counter: { portal: read, machine_api: 'select, insert, update(count)', workers: 'select, update(count), delete' },
  used_challenge: { portal: 'insert' },
  verification_link: { portal: all, workers: read },
  webhook_attempt: { portal: read, workers: all },
  webhook_attempt_hour: { portal: read, workers: all },
  webhook_challenge: { portal: change, workers: 'select, update, delete' },
  webhook_delivery: { portal: change, workers: all },
  webhook_endpoint: { portal: change, workers: 'select, update, delete' },
  webhook_event: { portal: add, workers: all },
  webhook_receiver_check: { portal: change, workers: 'select, update' },
  webhook_replay: { portal: change, workers: 'select, update, delete' },
  webhook_sample: { portal: add, workers: 'select, update, delete' },
  webhook_signing_key: { portal: 'select(id, public_key, published_at, signs_from, retired_at)', workers: all },
};

/**
 * The functions that processes call. Nobody calls any other one of the service's. What runs with the caller's rights is no way around `tables`, but
 * the machine API gets none of it all the same.
 */
export const functions: Rights['functions'] = {
  'folded(text)': ['portal', 'workers'],
  'live_leases(timestamptz[], timestamptz[], timestamptz)': ['machine_api'],
  'refuse_late(timestamptz)': ['machine_api'],
  'release_leases_v2(integer[], timestamptz[])': ['machine_api'],
  'take_from_redeem_source(text, timestamptz, timestamptz, integer)': ['machine_api'],
  'svc_job_subjects(json)': ['portal', 'workers'],
  'make_partitions(timestamptz)': ['workers'],
  'drop_request_log_days(timestamptz, integer)': ['workers'],
  'is_recent(timestamptz)': ['machine_api'],
  'new_id(text)': ['portal', 'workers'],
  'quota_order()': ['portal'],
  'store_events(timestamptz, integer[], text[], text[], text[], text[], text[], text[])': ['portal', 'workers'],
  'record_audit(timestamptz, text, text, text, inet, text[], text[], text[], text[], text[], json[])': ['portal', 'workers'],
  'queue_mail(text, text, text, text, json, timestamptz, text)': ['portal', 'workers'],
  'next_key_name(integer, text, timestamptz)': ['portal'],
  'place_certificate(integer, text, bytea, bytea, text, timestamptz, text, text)': ['portal'],
  'request_certificate(text, text, bytea, bytea, text, text, inet, timestamptz, text)': ['portal'],
  'take_positions(integer, integer)': ['portal', 'workers'],
  'share_resources(integer, text, text[], bigint[], text[], timestamptz)': ['portal'],
  'set_participation(integer, bytea, boolean)': ['portal'],
  'count_evidence(integer[], text[], timestamptz[], timestamptz[], bigint[])': ['portal', 'machine_api'],
  'forget_addresses(text)': ['portal'],
  'remove_ended_credentials(text, timestamptz, integer)': ['workers'],
  'redeem_link_code(text, bytea[], integer, text, inet, timestamptz)': ['machine_api'],
  'lock_revocation(integer, text)': ['machine_api'],
  'acknowledge_revocation(integer, text, text, inet, timestamptz)': ['machine_api'],
  'lock_client_for_renewal(text)': ['machine_api'],
  'request_renewal(text, text, bytea, bytea, text, text, inet, timestamptz)': ['machine_api'],
};

/** The tables of the job queue (graphile-worker's schema). A role that may queue a job can have the workers do anything that a job does. */
export const queue = {
  tables: {
    _private_jobs: all,
    _private_tasks: change,
    _private_job_queues: all,
    _private_known_crontabs: change,
    jobs: read,
    migrations: read,
  },
  protected: ['_private_jobs', '_private_tasks', '_private_job_queues', '_private_known_crontabs'],
  roles: ['portal', 'workers'],
} as const;

/**
 * Which rows of a table a process sees and adds (row security). The owner sees all.
 */
export const rows: Rights['rows'] = {
  key_ring_entry: {
    portal: keysOf('portal'),
    machine_api: keysOf('machine_api'),
    workers: keysOf('workers'),
  },
  // A line outside the days that there are would stay for ever, before all others.
  request_log: {
    portal: { see: 'true', add: 'false' },
    machine_api: { see: 'true', add: 'is_recent(occurred_at)' },
    workers: { see: 'true', add: 'false' },
  },
};

/**
 * What the release before needs and this one does not any more. Its processes are still at work when this release migrates, and again after a
 * rollback, so it is granted for one more release. `npm run cut-release` does not record it: what is here when a release is cut goes
 * in the next one.
 */
export const formerRights: Rights = { tables: {}, functions: {}, rows: {} };

/** A process sees the keys that it uses, and may make the first one of each. */
function keysOf(role: DatabaseRole): { readonly see: string; readonly add: string } {
  const used = `purpose in (${keyPurposesOf[role].map((purpose) => `'${purpose}'`).join(', ')})`;
  return { see: used, add: `${used} and retired_at is null` };
}
