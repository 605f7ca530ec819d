import pg from 'pg';
import { createFilledDatabase, type TestDatabase } from '../run/testDatabase.ts';
import { optionsOf } from './queryPlans.ts';

/** Identifiers of the rows of a full database: `opr_…7` is the seventh operator, with zeros between. */
export const idAt = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`;

const id = (prefix: string, n: string): string => `'${prefix}_' || lpad((${n})::text, 26, '0')`;
const before = (n: string): string => `timestamptz '2026-11-20T12:00:00Z' - (${n}) * interval '1 minute'`;

/** One statement each, in the order in which tables refer to each other. */
const statements = [
  // The time limit of a role is for requests.
  `set statement_timeout = 0`,
  // These rows refer only to each other, so checking a hundred thousand references would only take time.
  `set session_replication_role = replica`,
  `set synchronous_commit = off`,
  // The days of the log and the months of the trail that are filled below.
  `select make_partitions(d) from unnest('{2026-11-13, 2026-09-01, 2026-10-01}'::timestamptz[]) d`,
  // 1,000 operators, of whom the first has 300 integrations and twelve are staff.
  `insert into operator (id, email, email_key, user_handle, roles, created_at)
   select ${id('opr', 'n')}, 'user' || n || '@example.org', 'user' || n || '@example.org', sha256(n::text::bytea),
          case when n between 900 and 905 then '{reviewer}'::text[] when n between 906 and 911 then '{administrator}' else '{}' end, ${before('n')}
     from generate_series(1, 1000) n`,
  `insert into terms_version (version, title, markdown, published_at) select n, 'Terms', 'Words', ${before('1000 - n')} from generate_series(2, 300) n`,
  `begin`,
  `insert into integration (id, operator_id, slug, status, profile_version, created_at)
   select ${id('int', 'n')}, ${id('opr', 'case when n <= 300 then 1 else n end')}, 'board-' || lpad(n::text, 4, '0'),
          (array['sandbox', 'submitted', 'rejected', 'approved', 'active', 'active', 'suspended', 'retired'])[n % 8 + 1], 1, ${before('n')}
     from generate_series(1, 1000) n`,
  `insert into profile_version (integration_id, version, public_name, public_description, purpose, legal_operator_name, country, support_email,
     website_url, privacy_policy_url, terms_of_service_url, order_linking_url, requested_scopes, polling_cadence_minutes, webhook_model,
     terms_version, attribution_accepted_at, created_at, created_by)
   select ${id('int', 'n')}, v, 'Board', 'Words', 'Words', 'Ltd', 'DE', 'help@example.org', 'https://example.org', 'https://example.org/p',
          'https://example.org/t', 'https://example.org/l', '{orders.read}', 15, 'none', 1, now(), ${before('n')}, ${id('opr', '1')}
     from generate_series(1, 1000) n, lateral generate_series(1, case when n = 1 then 500 else 2 end) v`,
  `update profile_version set minor_revision = true where version = 2`,
  `update integration set reviewed_profile_version = 1 where status in ('approved', 'active', 'suspended')`,
  `update integration set health = (array['new', 'settingUp', 'healthy', 'attention', 'failing'])[('x' || md5(id))::bit(16)::int % 5 + 1]`,
  `update integration set production_gate_open = true where status in ('active', 'suspended') and slug ~ '[0-4]$'`,
  `commit`,
  `insert into client (id, integration_id, environment, scopes, created_at)
   select ${id('cli', 'n * 2 + e')}, ${id('int', 'n')}, case e when 0 then 'sandbox' else 'production' end, '{orders.read}', now()
     from generate_series(1, 1000) n, generate_series(0, 1) e order by n, e`,
  `insert into client_feed (client_number) select number from client`,
  `insert into client_quota (client_number) select number from client`,
  `insert into client_activity (client_number, last_request_at, last_sync_at) select number, now(), now() from client`,
  `insert into client_observation (client_number, state) select number, '{"pageEnd":100,"pageEpoch":0}' from client`,
  `insert into review_evidence (client_number, kind, first_at, last_at, count)
   select number, kind, now(), now(), 1 from client, unnest('{capabilities_read,cursor_followed,link_code_redeemed}'::text[]) kind where environment = 'sandbox'`,
  `insert into sandbox_corpus (client_number, generation, requested_at, ready_at) select number, 1, now(), now() from client where environment = 'sandbox'`,
  // 100,000 submissions: a hundred of each integration, the last open for every second integration.
  `insert into review_submission (id, integration_id, operator_id, round, profile_version, scopes, terms_version, review_url, statement, status,
     submitted_at, waiting_for, waiting_since, reviewer_id, taken_at, decided_at, decided_by, decision_notes, submitted_from)
   select ${id('sub', 'n * 100 + r')}, ${id('int', 'n')}, ${id('opr', 'case when n <= 300 then 1 else n end')}, r, 1, '{orders.read}', 1,
          'https://example.org/review', '{}', case when r = 100 and n % 2 = 0 then 'submitted' when r % 3 = 0 then 'approved' else 'rejected' end,
          ${before('n * 100 + r')}, case when n % 10 = 0 then 'operator' else 'reviewer' end, ${before('n * 100 + r')},
          case when (r < 100 and r % 12 <> 3) or n % 4 = 0 then ${id('opr', '900 + (n + r) % 6')} end, null,
          case when not (r = 100 and n % 2 = 0) then ${before('n * 100')} end, null, null, 'sandbox'
     from generate_series(1, 1000) n, generate_series(1, 100) r`,
  `insert into review_message (submission_id, author_id, author_role, body, written_at)
   select ${id('sub', 'n')}, ${id('opr', '1')}, 'operator', 'Words', now() from generate_series(101, 5100) n, generate_series(1, 4)`,
  // 20,000 reports of a change of business model, and as many agreements.
  `insert into business_model_report (id, operator_id, integration_id, description, reported_at)
   select ${id('bmr', 'n')}, ${id('opr', 'case when n % 1000 < 300 then 1 else n % 1000 + 1 end')}, ${id('int', 'n % 1000 + 1')}, 'Words', ${before('n')}
     from generate_series(1, 20000) n`,
  `insert into commercial_agreement (id, integration_id, reference, summary, valid_from, recorded_at, recorded_by)
   select ${id('agr', 'n')}, ${id('int', 'n % 1000 + 1')}, 'A', 'Words', '2026-01-01', ${before('n')}, ${id('opr', '906')}
     from generate_series(1, 20000) n`,
  // 100,000 entries of the trail, a third of them about one operator and one integration, with a rare action among them.
  `insert into audit_entry (occurred_at, actor_type, actor_id, action, subject_type, subject_id, operator_id, integration_id)
   select ${before('100000 - n')}, 'operator', ${id('opr', 'case when n % 3 = 0 then 1 else n % 1000 + 1 end')},
          case when n % 500 = 0 then 'integration.suspended' when n % 2 = 0 then 'session.opened' else 'link_code.created' end,
          'integration', ${id('int', 'n % 1000 + 1')}, ${id('opr', 'case when n % 3 = 0 then 1 else n % 1000 + 1 end')},
          ${id('int', 'case when n % 3 = 0 then 1 else n % 1000 + 1 end')}
     from generate_series(1, 100000) n`,
  `insert into audit_entry (occurred_at, actor_type, actor_id, action, subject_type, subject_id, details)
   select ${before('n * 60')}, 'operator', ${id('opr', '906')}, 'production_gate.opened', 'service', 'production', '{"reason":"Words"}'
     from generate_series(1, 100) n`,
  // 3,000 more entries about one subject, among which one action is rare.
  `insert into audit_entry (occurred_at, actor_type, actor_id, action, subject_type, subject_id)
   select ${before('n')}, 'system', 'portal', case when n % 60 = 0 then 'integration.suspended' else 'session.opened' end, 'session', ${id('ses', '1')}
     from generate_series(1, 3000) n`,
  // The log of 100,000 requests, half of them by one client.
  `insert into request_log (client_number, occurred_at, request_id, method, route, status, problem_code, serial, duration_ms)
   select case when n % 2 = 0 then 1 else n % 2000 + 1 end, ${before('n * 0.1')}, ${id('req', 'n')}, 'GET', case when n % 20 = 0 then 'getOrder' else 'getSync' end,
          (array[200, 304, 200, 429, 503])[n % 5 + 1], (array[null, null, null, 'rate_limit_exceeded', 'temporarily_unavailable'])[n % 5 + 1],
          (array['ab', 'ab', 'cd'])[n % 3 + 1], 4 from generate_series(1, 100000) n`,
  // One full sandbox among others: connections, shares, revocations, link codes.
  `insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
   select case when n <= 4000 then 1 else n % 2000 + 1 end, ${id('con', 'n')}, sha256((n % 500)::text::bytea), 1, '{orders.read}', false, ${before('n')}
     from generate_series(1, 20000) n`,
  `insert into tracked_resource (environment, type, source_key, source_version, core, history_complete, synthetic_for)
   select 'sandbox', 'order', sha256(n::text::bytea), 1, '{"status":"built"}', true, case when n <= 5000 then 1 else n % 2000 + 1 end
     from generate_series(1, 20000) n`,
  `insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at, acknowledged_at)
   select case when n <= 10000 then 1 else n % 2000 + 1 end, ${id('rev', 'n')}, 'resource', ${id('ord', 'n')}, ${id('con', 'n')}, ${before('n')},
          ${before('n')} + interval '7 days', case when n % 2 = 0 then now() end from generate_series(1, 20000) n`,
  `insert into shared_resource (client_number, id, connection_id, tracked_resource_id, type, consented, position, updated_at)
   select c.client_number, ${id('ord', 'n')}, ${id('con', 'n')}, n, 'order', 1, n, now() from generate_series(1, 20000) n
     join connection c on c.id = ${id('con', 'n')}`,
  `insert into link_code (id, environment, client_number, code_hmac, user_ref, profile_version, scopes, statistics_opted_in, created_at, expires_at)
   select ${id('lnk', 'n')}, 'sandbox', case when n <= 5000 then 1 else n % 2000 + 1 end, sha256(n::text::bytea), sha256(n::text::bytea), 1, '{orders.read}', false,
          ${before('n * 0.1')}, ${before('n * 0.1')} from generate_series(1, 20000) n`,
  `insert into link_code_resource (link_code_id, tracked_resource_id) select ${id('lnk', 'n')}, n from generate_series(1, 20000) n`,
  `insert into certificate (id, client_number, source, status, key_type, requested_at, requested_by)
   select ${id('crt', 'n')}, n % 2000 + 1, 'csr', 'pending', 'EC P-256', now(), ${id('opr', '1')} from generate_series(1, 10000) n`,
  // 3,000 more of one client, two of which hold its slots, though they are not the newest.
  `insert into certificate (id, client_number, slot, source, status, key_type, requested_at, requested_by)
   select ${id('crt', '10000 + n')}, 1, case when n > 2998 then 3001 - n end, 'csr', 'pending', 'EC P-256', ${before('n')}, ${id('opr', '1')} from generate_series(1, 3000) n`,
  // 20,000 more of more than a year and of two authorities, in use, expired, revoked and failed; a tenth of them from P12 packages.
  `insert into certificate_authority (id, kind, certificate_pem, not_after, created_at, retired_at)
   select 'issuing-' || n, 'issuing', 'x', timestamptz '2030-01-01', timestamptz '2025-01-01', case when n = 1 then timestamptz '2026-05-01' end
     from generate_series(1, 2) n`,
  `insert into certificate (id, client_number, source, status, key_type, requested_at, requested_by, issuer_id, serial, fingerprint_sha256, pem, usable_until, not_after, revoked_at)
   select ${id('crt', '20000 + n')}, n % 2000 + 1, case when n % 10 = 0 then 'p12' else 'csr' end, s, 'EC P-256', at, ${id('opr', '1')},
          case when s <> 'failed' then 'issuing-' || case when n > 10000 then 1 else 2 end end, case when s <> 'failed' then md5(n::text) end,
          case when s <> 'failed' then encode(sha256(n::text::bytea), 'hex') end, 'x', at + interval '90 days', at + interval '90 days', case when s = 'revoked' then at end
     from (select n, ${before('n * 30')} as at, (array['issued', 'issued', 'issued', 'revoked', 'issued', 'failed', 'issued'])[n % 7 + 1] as s from generate_series(1, 20000) n) c`,
  `insert into certificate_activity (certificate_id, last_used_at) select id, requested_at from certificate where status = 'issued'`,
  // One operator who has been told much, among others.
  `insert into mail (id, kind, subject_id, operator_id, integration_id, details, created_at, sent_at, read_at)
   select ${id('mail', 'n')}, 'quota_reached', n::text, case when n <= 5000 then ${id('opr', '1')} else ${id('opr', 'n % 1000 + 1')} end, ${id('int', '1')},
          '{"environment": "sandbox", "quota": "requests_per_hour", "percent": 80, "limit": 600, "resetsAt": "2026-11-20T12:00:00Z"}',
          ${before('n')}, now(), case when n % 50 <> 0 then now() end from generate_series(1, 20000) n`,
  `insert into service_token (id, name, environment, token_hash, permissions, created_at, expires_at, revoked_at)
   select ${id('svt', 'n')}, 'Program', case when n % 3 = 0 then 'production' else 'sandbox' end, sha256(n::text::bytea), '{shares.read}', ${before('n')},
          ${before('2000 - n')}, case when n % 10 = 0 then now() end from generate_series(1, 5000) n`,
  `insert into portal_session (id, kind, operator_id, email, rotated_at, created_at, last_used_at, expires_at, ended_at, ip, user_agent)
   select ${id('ses', 'n')}, 'full', ${id('opr', 'n % 1000 + 1')}, 'x', now(), ${before('n')}, timestamptz '2026-11-20T12:00:00Z', timestamptz '2026-11-20T13:00:00Z',
          case when n > 1000 then now() end, '192.0.2.1', 'test' from generate_series(1, 20000) n`,
  `insert into portal_session (id, kind, operator_id, email, rotated_at, created_at, last_used_at, expires_at, ip, user_agent)
   select ${id('ses', '100000 + n')}, 'full', ${id('opr', '1')}, 'x', now(), ${before('n')}, timestamptz '2026-11-20T12:00:00Z',
          timestamptz '2026-11-20T13:00:00Z', '192.0.2.1', 'test' from generate_series(1, 40) n`,
  // 40,000 events of an endpoint that nearly all reached, among 2,000 endpoints, every twentieth of which fails.
  `insert into webhook_endpoint (id, integration_id, client_number, url, payload_mode, event_types, description, status, slot, created_at, created_by,
     proven_at, first_proven_at, status_changed_at, failing_since, paused_by)
   select ${id('whk', 'n')}, k.integration_id, k.number, 'https://hooks.example.org/' || n, 'notification', '{resource.updated}', '', case when n % 33 = 0 then 'paused' else 'active' end,
          n % 2 + 1, ${before('n')}, ${id('opr', '1')}, ${before('n')}, ${before('n')}, ${before('n')}, case when n % 20 = 0 then ${before('n')} end,
          case when n % 66 = 0 then 'administrator' when n % 33 = 0 then 'owner' end
     from generate_series(1, 2000) n join client k on k.number = n`,
  `insert into webhook_challenge (id, endpoint_number, url, status, requested_at, requested_by, finished_at)
   select ${id('whc', 'n')}, n % 2000 + 1, 'https://hooks.example.org/' || n % 2000 + 1, case when n % 100 = 0 then 'pending' else 'succeeded' end, ${before('n * 0.1')},
          ${id('opr', '1')}, case when n % 100 > 0 then ${before('n * 0.1')} end from generate_series(1, 20000) n`,
  `insert into webhook_event (id, client_number, type, occurred_at, expires_at, connection_id, resource_id, resource_type)
   select ${id('evt', 'n')}, 1, case when n % 400 = 0 then 'connection.revoked' else 'resource.updated' end, ${before('n * 0.1')}, ${before('n * 0.1')}, ${id('con', 'n % 100')},
          ${id('ord', 'n % 2000')}, 'order' from generate_series(1, 40000) n`,
  `insert into webhook_delivery (id, endpoint_number, event_id, type, state, attempts, window_ends_at, created_at, finished_at, connection_id, resource_id)
   select ${id('dlv', 'n')}, 1, e.id, e.type, case when n % 200 = 0 then 'dead' when n % 201 = 0 then 'discarded' when n % 202 = 0 then 'held' when n < 4000 then 'pending' when n % 9 = 1 then 'held' else 'delivered' end,
          1, e.expires_at, e.occurred_at, e.occurred_at, case when e.type = 'resource.updated' then e.connection_id end,
          case when e.type = 'resource.updated' then e.resource_id end from generate_series(1, 40000) n join webhook_event e on e.id = ${id('evt', 'n')}`,
  // One of every other endpoint, so that the database knows that an endpoint's deliveries are not all there are.
  `insert into webhook_delivery (id, endpoint_number, event_id, type, state, window_ends_at, created_at)
   select ${id('dlv', '100000 + n')}, n, ${id('evt', '100000 + n')}, 'resource.updated', case when n % 3 = 0 then 'held' else 'pending' end, ${before('n')}, ${before('n')}
     from generate_series(2, 2000) n`,
  `insert into webhook_attempt (delivery_number, number, endpoint_number, started_at, total_us, status) select number, 1, 1, created_at, 1000, 200 from webhook_delivery where endpoint_number = 1`,
  // A queue of 20,000 jobs, every tenth of which has failed.
  `insert into graphile_worker._private_tasks (identifier) values ('sendMail'), ('issueCertificate') on conflict do nothing`,
  `insert into graphile_worker._private_jobs (task_id, payload, attempts, last_error)
   select t.id, '{}', case when n % 100 = 0 then 25 else 3 end, case when n % 10 = 0 then t.identifier || ' failed; the log has the reason' end
     from generate_series(1, 20000) n
     join graphile_worker._private_tasks t on t.identifier = case when n % 70 = 0 then 'issueCertificate' else 'sendMail' end`,
  `set session_replication_role = origin`,
  `analyze`,
  `reset statement_timeout`,
];

/** A database with 1,000 integrations, 100,000 submissions, audit lines and logged requests, and what belongs to them. */
export function createFullDatabase(): Promise<TestDatabase> {
  return createFilledDatabase('full', async (url) => {
    const client = new pg.Client({ connectionString: url, options: optionsOf('portal') });
    await client.connect();
    try {
      for (const statement of statements) {
        await client.query(statement).catch((error: unknown) => {
          throw new Error(`${String(error)}: ${statement.slice(0, 120)}`, { cause: error });
        });
      }
    } finally {
      await client.end();
    }
  });
}
