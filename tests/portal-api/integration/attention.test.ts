import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { notify } from '../../../server/domain/notification/notify.ts';
import { readFacts } from '../../../server/domain/attention/facts/readFacts.ts';
import { createLoaders } from '../../../server/portal-api/loaders.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { listenToStatements, statementsOf } from '../../support/database/queryPlans.ts';
import { webhookEndpoint } from '../../support/webhooks/endpointRows.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { actorOf, addLogo, goodSubmission, reviewer } from '../../support/world/reviewPath.ts';
import { numberOfClient, revokedConnection, revokedOrder } from '../../support/world/revocationFixtures.ts';
import { administrator } from '../../support/clients/toolingClient.ts';

type Item = {
  kind: string;
  level: string;
  title: string;
  detail: string | null;
  act: { page: string; objectId: string | null };
  integration: { slug: string } | null;
};
type News = {
  edges: {
    node: {
      id: string;
      at: string;
      read: boolean;
      settled: boolean;
      title: string;
      action: { path: string } | null;
      integration: { slug: string } | null;
    };
  }[];
};

const day = 24 * 60 * 60 * 1000;
let application: PortalWorld;
let owner: PortalClient;
let staff: PortalClient;
let slug: string;
let integrationId: string;

beforeAll(async () => {
  listenToStatements();
  application = await openWorld({ portal: true });
  owner = await application.operator();
  staff = await reviewer(application);
  for (const client of [owner, staff]) await client.confirmFreshly();
  ({ slug, id: integrationId } = await owner.createIntegration());
}, 60_000);
afterAll(() => application?.close());

const fields = 'kind level title detail act { page objectId } integration { slug }';
const needs = async (client: PortalClient): Promise<Item[]> => {
  const { data } = await client.graphql<{ viewer: { attention: Item[]; attentionCount: number } }>(
    `{ viewer { attentionCount attention { ${fields} } } }`,
  );
  if (!data) throw new Error('No answer.');
  expect(data.viewer.attentionCount).toBe(data.viewer.attention.length);
  return data.viewer.attention;
};
const kinds = async (client: PortalClient) => (await needs(client)).map(({ kind, level }) => `${kind} ${level}`);
const levels = async () => {
  const health = (environment: string) => `${environment}: health(environment: ${environment}) { level sentence }`;
  const { data } = await owner.graphql<{ integration: Record<string, { level: string }> }>(
    `{ integration(slug: "${slug}") { ${health('sandbox')} ${health('production')} } }`,
  );
  return [data?.integration.sandbox?.level, data?.integration.production?.level];
};
const write = (text: string, values: readonly unknown[] = []) => application.rows(text, values);
const now = () => application.clock.now();
const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds);

test('a question of the reviewers needs the owner, a submission a reviewer, and neither anybody else', async () => {
  const [stranger, admin] = [await application.operator(), await administrator(application)];
  await addLogo(application, integrationId);
  const { id } = await owner.must<{ id: string }>('submitForReview', { input: goodSubmission(integrationId) });
  expect(await needs(staff)).toMatchObject([{ kind: 'submission', act: { page: 'submission', objectId: id }, integration: { slug } }]);
  expect(await kinds(owner)).toEqual([]);
  await staff.must('takeSubmission', { input: { submissionId: id } });
  await staff.must('askQuestion', { input: { submissionId: id, body: 'Where is the credit?' } });
  expect(await kinds(owner)).toEqual(['reviewQuestion attention']);
  for (const other of [staff, stranger, admin]) expect(await kinds(other)).toEqual([]);
  await owner.must('answerQuestion', { input: { submissionId: id, body: 'Below the chart.' } });
  expect([await kinds(owner), await kinds(staff)]).toEqual([[], ['submission attention']]);
  await staff.must('rejectSubmission', { input: { submissionId: id, notes: 'More.' } });
  expect([await kinds(owner), await kinds(staff)]).toEqual([['reviewRejected attention'], []]);
});

test('a reviewer’s number counts every waiting submission, and reads no review times', async () => {
  const { operatorId } = await actorOf(await application.operator());
  const copy = (table: string, changes: string, of: string) =>
    `insert into ${table} select (jsonb_populate_record(o, jsonb_build_object(${changes}))).* from ${table} o, generate_series(1, 25) n where ${of} = $1`;
  // In one statement, because integrations and their versions refer to each other.
  await write(
    `with i as (${copy('integration', `'id', 'int_copy' || n, 'slug', 'copy-' || n, 'operator_id', $2::text`, 'o.id')}),
       v as (${copy('profile_version', `'integration_id', 'int_copy' || n`, 'o.integration_id')})
     ${copy('review_submission', `'id', 'sub_copy' || n, 'integration_id', 'int_copy' || n, 'operator_id', $2::text, 'status', 'submitted', 'waiting_for', 'reviewer', 'reviewer_id', null, 'decided_at', null`, 'o.integration_id')}`,
    [integrationId, operatorId],
  );
  const { result, statements } = await statementsOf(() =>
    staff.graphql<{ viewer: { attentionCount: number } }>('{ viewer { attentionCount } }'),
  );
  expect(result.data?.viewer.attentionCount).toBe(25);
  expect(statements.filter(({ text }) => text.includes('waiting_for'))).toHaveLength(1);
  expect(statements.filter(({ text }) => text.includes('percentile'))).toEqual([]);
  await write('delete from review_submission where operator_id = $1', [operatorId]);
});

test('what is known about an owner’s integrations is read once, also where a page asks for one of them meanwhile', async () => {
  const { operatorId } = await actorOf(owner);
  await owner.createIntegration();
  const { attentionFacts, ownFacts } = createLoaders(application.orm.em.fork());
  const { result, statements } = await statementsOf(() =>
    Promise.all([ownFacts.load({ operatorId, now: now() }), attentionFacts.load({ id: integrationId, now: now() })]),
  );
  expect(result[0].map(({ id }) => id)).toContain(integrationId);
  expect(result[0].length).toBeGreaterThan(1);
  expect(statements.filter(({ text }) => text.includes('from client_quota'))).toHaveLength(1);
});

test('refusals are over once their own operation has been answered again, and not when another has', async () => {
  const { slug: name, id } = await (await application.operator()).createIntegration();
  const number = await numberOfClient(application, name, 'production');
  const at = now();
  const minutesAgo = (minutes: number) => new Date(at.getTime() - minutes * 60_000);
  const asked = async (operation: string, status: number, time: Date, problem: string | null = null) => {
    await write(
      `insert into request_log (client_number, occurred_at, request_id, method, route, status, duration_ms, problem_code) values ($1, $2, $3, 'GET', $4, $5, 1, $6)`,
      [number, time, newId('req'), operation, status, problem],
    );
    await write(
      `insert into usage_counter (client_number, hour, route, status, count) values ($1, date_trunc('hour', $2::timestamptz), $3, $4, 1)
       on conflict (client_number, hour, route, status) do update set count = usage_counter.count + 1`,
      [number, time, operation, status],
    );
  };
  const production = async () => (await readFacts(application.orm.em.fork(), [id], now()))[0]?.production;
  await write('insert into client_activity (client_number, last_request_at, last_sync_at) values ($1, $2, $3)', [
    number,
    now(),
    minutesAgo(3),
  ]);
  await asked('acknowledgeRevocation', 403, minutesAgo(8), 'scope_required');
  await asked('getSync', 403, minutesAgo(5), 'production_data_disabled');
  await asked('getSync', 200, minutesAgo(3));
  expect(await production()).toMatchObject({ requests: 3, refused: 1, refusedBefore: 1, refusedSync: null, calledSince: null });
  expect(await production()).toMatchObject({ lastRefusal: { at: minutesAgo(8), problem: 'scope_required' } });
  await asked('acknowledgeRevocation', 204, minutesAgo(2));
  await asked('getSync', 503, minutesAgo(1), 'temporarily_unavailable');
  const unavailable = { at: minutesAgo(1), problem: 'temporarily_unavailable' };
  expect(await production()).toMatchObject({
    requests: 5,
    refused: 2,
    refusedBefore: 1,
    refusedSync: unavailable,
    lastRefusal: unavailable,
    // So few need nobody, and their reasons are not asked for.
    refusedFor: [],
  });
  for (const minutes of [0.9, 0.8]) await asked('getSync', 503, minutesAgo(minutes), 'temporarily_unavailable');
  await asked('getOrder', 403, minutesAgo(0.7), 'scope_required');
  // What was refused of an operation that has been answered since is not among them.
  expect(await production()).toMatchObject({
    refused: 5,
    refusedFor: [
      { problem: 'temporarily_unavailable', count: 3 },
      { problem: 'production_data_disabled', count: 1 },
      { problem: 'scope_required', count: 1 },
    ],
  });
  // More than the log has have reasons that nobody knows.
  await write('update usage_counter set count = count + 1 where client_number = $1 and status = 503', [number]);
  expect((await production())?.refusedFor).toEqual([]);
  await write('update client_activity set last_sync_at = null where client_number = $1', [number]);
  const first = minutesAgo(8);
  first.setUTCMinutes(0, 0, 0);
  expect(await production()).toMatchObject({ calledSince: first });
});

test.each([
  ['the integration was activated', `update integration set status = 'active', status_changed_at = $2 where id = $1`],
  ['its gate was opened', 'update integration set production_gate_open = true, production_gate_changed_at = $2 where id = $1'],
])('what was refused before %s does not count any more', async (_, open) => {
  const { slug: name, id } = await (await application.operator()).createIntegration();
  const number = await numberOfClient(application, name, 'production');
  const at = now();
  const minutesAgo = (minutes: number) => new Date(at.getTime() - minutes * 60_000);
  await write('update service_gate set production_data_enabled = true, changed_at = $1', [minutesAgo(60)]);
  for (const minutes of [6, 5]) {
    await write(
      `insert into request_log (client_number, occurred_at, request_id, method, route, status, duration_ms) values ($1, $2, $3, 'GET', 'getSync', 403, 1)`,
      [number, minutesAgo(minutes), newId('req')],
    );
  }
  await write(
    `insert into usage_counter (client_number, hour, route, status, count) values ($1, date_trunc('hour', $2::timestamptz), 'getSync', 403, 2)`,
    [number, minutesAgo(5)],
  );
  await write('insert into client_activity (client_number, last_request_at) values ($1, $2)', [number, minutesAgo(5)]);
  const production = async () => (await readFacts(application.orm.em.fork(), [id], at))[0]?.production;
  await write(open, [id, minutesAgo(5.5)]);
  expect(await production()).toMatchObject({
    requests: 2,
    refused: 2,
    refusedBefore: 0,
    refusedSync: { at: minutesAgo(5), problem: null },
  });
  await write(open, [id, minutesAgo(4)]);
  expect(await production()).toMatchObject({ requests: 2, refused: 0, refusedBefore: 2, refusedSync: null, lastRefusal: null });
});

test('what is read from the database is what the pages then say of production', async () => {
  const clientNumber = await numberOfClient(application, slug, 'production');
  await write(`update integration set status = 'active', production_gate_open = true where id = $1`, [integrationId]);
  await write('update service_gate set production_data_enabled = true');
  expect([await kinds(owner), await levels()]).toEqual([['certificateMissing settingUp'], ['new', 'settingUp']]);

  const certificate = newId('crt');
  await write(
    `insert into certificate (id, client_number, slot, source, status, key_type, serial, fingerprint_sha256, pem, requested_at, requested_by, usable_until)
     select $1, $2, 1, 'csr', 'issued', 'EC P-256', '01', '01', 'x', $3, operator_id, $4 from integration where id = $5`,
    [certificate, clientNumber, ago(day), ago(-60 * day), integrationId],
  );
  await write('insert into client_activity (client_number, last_request_at, last_sync_at) values ($1, $2, $2)', [
    clientNumber,
    ago(60_000),
  ]);
  expect([await kinds(owner), await levels()]).toEqual([[], ['new', 'healthy']]);

  await revokedConnection(application, { clientNumber, revokedAt: ago(5 * day) }, 1);
  for (let n = 0; n < 3; n += 1) await revokedOrder(application, { clientNumber, revokedAt: ago(4 * day) });
  const vehicle = await revokedOrder(application, { clientNumber, revokedAt: ago(4 * day) });
  await write("update revocation set subject_id = replace(subject_id, 'ord_', 'veh_') where id = $1", [vehicle.revocationId]);
  const endpoint = await webhookEndpoint(application, clientNumber, { at: ago(day) });
  await write('update webhook_endpoint set failing_since = $2, failures_in_row = 9 where number = $1', [
    endpoint.number,
    ago(2 * 60 * 60_000),
  ]);
  await write(
    `insert into webhook_delivery (id, endpoint_number, event_id, type, state, window_ends_at, created_at, finished_at) values ($1, $2, 'evt', 'resource.updated', 'dead', $3, $3, $3)`,
    [newId('dlv'), endpoint.number, ago(60_000)],
  );
  await write('update client_quota set hour_start = $2, hour_count = 540 where client_number = $1', [clientNumber, ago(60_000)]);
  const counter = `insert into usage_counter (client_number, hour, route, status, count) values ($1, date_trunc('hour', $2::timestamptz), 'getSync', $3, $4)`;
  for (const [status, count] of [
    [200, 4],
    [404, 50],
    [403, 96],
  ])
    await write(counter, [clientNumber, now(), status, count]);
  expect(await levels()).toEqual(['new', 'failing']);
  const items = await needs(owner);
  expect(items.map(({ title }) => title)).toEqual([
    '5 deletions due',
    '96 of 150 production calls refused in 2 hours',
    '1 production event not delivered',
    '80% of a quota used',
  ]);
  expect(items[0]?.detail).toBe('Delete 3 orders, 1 stock vehicle, and 1 connection');
  expect(items[2]?.act).toEqual({ page: 'webhookEndpoint', objectId: endpoint.id });
  // The list and the overview say nothing else.
  const answer = await owner.graphql<{ integration: { attention: Item[]; nextStep: { title: string } } }>(
    `{ integration(slug: "${slug}") { attention { ${fields} } nextStep { title } } }`,
  );
  expect(answer.data?.integration).toEqual({ attention: items, nextStep: { title: '5 deletions due' } });
});

test('new terms need everybody who has accepted earlier ones, until they accept them', async () => {
  await write(
    `insert into terms_version (version, title, markdown, published_at) select max(version) + 1, 'New', 'Words', $1 from terms_version`,
    [now()],
  );
  expect(await kinds(owner)).toContain('terms attention');
  expect(await kinds(staff)).toEqual([]);
});

test('what people are mailed is news to them, each marked by themselves, even if they want no mail', async () => {
  const { operatorId } = await actorOf(owner);
  const read = async (variables: Record<string, unknown> = {}, client = owner) =>
    (await client.must<News>('news', variables)).edges.map(({ node }) => node);
  await owner.must('setNotificationPreferences', { input: { muted: ['webhooks'] } });
  await application.orm.em.fork().transactional((tx) =>
    notify(tx, {
      kind: 'webhook_resumed',
      subjectId: 'resumed',
      operatorId,
      integrationId,
      details: { environment: 'production', host: 'hooks.example', reason: 'Mended.' },
      now: now(),
    }),
  );
  await write("update integration set status = 'rejected' where id = $1", [integrationId]);
  const all = await read();
  const [newest, before] = all;
  expect(newest).toMatchObject({
    title: expect.stringContaining('resumed'),
    read: false,
    action: { path: `/integrations/${slug}/webhooks?environment=production` },
    integration: { slug },
  });
  expect(all).toHaveLength(3);
  await owner.must('markNewsRead', { input: { id: newest?.id } });
  // The question is answered, so nobody needs to read it.
  expect(all.map(({ settled }) => settled)).toEqual([false, false, true]);
  expect((await read({ unread: true })).map(({ id }) => id)).toEqual(all.slice(1, 2).map(({ id }) => id));
  await owner.must('markAllNewsRead', { input: { until: before?.at } });
  expect(await read({ unread: true })).toEqual([]);
  // A reviewer’s news go with the role.
  const received = (await read({}, staff)).find(({ title }) => title.includes('New submission'));
  // It is about an integration of somebody else’s, whose pages a reviewer cannot open.
  expect(received).toMatchObject({ integration: null });
  await write(`update operator set roles = '{}' where id = $1`, [(await actorOf(staff)).operatorId]);
  expect((await read({}, staff)).map(({ title }) => title)).not.toContainEqual(expect.stringContaining('New submission'));
});

test('links that were mailed are no news, because they work from the mailbox alone', async () => {
  const { operatorId } = await actorOf(owner);
  await write(`insert into mail (id, kind, subject_id, operator_id, created_at) values ($1, 'email_change_new', 'l', $2, $3)`, [
    newId('mail'),
    operatorId,
    now(),
  ]);
  expect((await owner.must<News>('news', { first: 1 })).edges[0]?.node.title).not.toContain('address');
});
