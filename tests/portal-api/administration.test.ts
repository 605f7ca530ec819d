import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startPortalApplication, type PortalApplication } from '../support/portalApplication.ts';
import { codesOf, fieldsOf, requestFor, type PortalClient } from '../support/portalClient.ts';
import { reviewer } from '../support/reviewPath.ts';
import { acknowledge, clientNumber, revokedOrder } from '../support/revocationFixtures.ts';
import { administrator, toolingClient } from '../support/toolingClient.ts';
import { writeRequests } from '../support/usageFixtures.ts';

type Connection<Node> = { edges: { cursor: string; node: Node }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
type Entry = {
  id: string;
  action: string;
  actorType: string;
  actorId: string | null;
  subjectId: string;
  integrationId: string | null;
  operatorId: string | null;
  ip: string | null;
  requestId: string | null;
  details: Record<string, unknown>;
};
type Operator = {
  id: string;
  email: string | null;
  roles: string[];
  integrationCount: number;
  access: { sessions: number; passkeys: number };
};
type Job = { id: string; name: string; state: string; attempts: number; lastError: string; nextRunAt: string | null };

let application: PortalApplication;
let admin: PortalClient;
let owner: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
beforeAll(async () => {
  application = await startPortalApplication();
  [admin, owner] = [await administrator(application), await application.operator('anna.keller@example.org')];
  integration = await owner.createIntegration();
  await admin.confirmFreshly();
});
afterAll(() => application.stop());

const idOf = async (client: PortalClient) => (await client.viewer()).data?.operatorId ?? '';
const trail = (client: PortalClient, variables: Record<string, unknown> = {}) => client.must<Connection<Entry>>('auditTrail', variables);
const actionsOf = ({ edges }: Connection<Entry>) => edges.map(({ node }) => node.action);

describe('finding operators', () => {
  const found = async (filter: Record<string, unknown>) =>
    (await admin.must<Connection<Operator>>('operators', { filter })).edges.map(({ node }) => node);

  test('an administrator finds an account by a part of its address, in any spelling, by its id, or by what names an integration of it', async () => {
    const id = await idOf(owner);
    expect((await found({ search: 'Anna.KELL' })).map((each) => each.id)).toEqual([id]);
    expect((await found({ search: 'keller@' })).map((each) => each.id)).toEqual([id]);
    for (const search of [integration.slug, integration.id, integration.clientId])
      expect((await found({ search })).map((each) => each.id)).toEqual([id]);
    expect(await found({ search: id })).toMatchObject([{ email: owner.email, integrationCount: 1 }]);
    expect(await found({ search: 'anna.kell_' })).toEqual([]);
    expect(await found({ search: `opr_${'0'.repeat(26)}` })).toEqual([]);
  });

  test('the list shows the newest accounts first and is read page by page, by age and by address', async () => {
    const everybody = await found({});
    expect(everybody.map((each) => each.id)).toEqual([await idOf(owner), await idOf(admin)]);
    for (const filter of [{}, { search: 'a' }]) {
      await application.rows("update operator set email = 'admin@example.org', email_key = 'admin@example.org' where id = $1", [
        await idOf(admin),
      ]);
      const first = await admin.must<Connection<Operator>>('operators', { filter, first: 1 });
      expect(first.pageInfo.hasNextPage).toBe(true);
      const second = await admin.must<Connection<Operator>>('operators', { filter, first: 1, after: first.pageInfo.endCursor });
      expect(second.pageInfo.hasNextPage).toBe(false);
      expect(new Set([...first.edges, ...second.edges].map(({ node }) => node.id)).size).toBe(2);
    }
  });

  test('only those with a role, and one account with its sessions and passkeys', async () => {
    expect((await found({ role: 'administrator' })).map((each) => each.id)).toEqual([await idOf(admin)]);
    expect(await found({ role: 'reviewer' })).toEqual([]);
    expect(await admin.must('operator', { id: await idOf(owner) })).toMatchObject({ access: { sessions: 1, passkeys: 1 }, roles: [] });
  });

  test('the list is ordered by age or by address', async () => {
    const slot = async (order: string) =>
      (await admin.must<Connection<Operator>>('operators', { order, filter: {} })).edges.map(({ node }) => node.email);
    expect(await slot('oldest')).toEqual((await slot('newest')).toReversed());
    expect(await slot('address')).toEqual((await slot('newest')).toSorted());
  });

  test('a search that no address can be is refused in words', async () => {
    expect(fieldsOf(await admin.call('operators', { filter: { search: '\u0000' } }))).toHaveProperty(['filter.search']);
    expect(fieldsOf(await admin.call('operators', { after: 'AAAA' }))).toHaveProperty('after');
    expect(fieldsOf(await admin.call('operators', { first: 101 }))).toHaveProperty('first');
  });
});

describe('roles', () => {
  test('a granted role holds from the next request on, a withdrawn one no longer, and both stand in the trail', async () => {
    const operatorId = await idOf(owner);
    await admin.must('grantRole', { input: { operatorId, role: 'reviewer' } });
    expect((await owner.viewer()).data?.roles).toEqual(['reviewer']);
    expect(await admin.must('withdrawRole', { input: { operatorId, role: 'reviewer' } })).toEqual({ id: operatorId, roles: [] });
    expect((await owner.viewer()).data?.roles).toEqual([]);
    const { edges } = await trail(admin, { filter: { operatorId }, first: 2 });
    expect(edges.map(({ node }) => [node.action, node.details, node.actorId])).toEqual([
      ['role.withdrawn', { role: 'reviewer' }, await idOf(admin)],
      ['role.granted', { role: 'reviewer' }, await idOf(admin)],
    ]);
  });

  test('the last administrator stays one, also when two withdraw each other’s role at the same moment', async () => {
    const own = { input: { operatorId: await idOf(admin), role: 'administrator' } };
    const refused = await admin.call('withdrawRole', own);
    expect(codesOf(refused)).toEqual(['CONFLICT']);
    expect(refused.errors[0]?.message).toContain('the last administrator');
    const second = await administrator(application);
    await second.confirmFreshly();
    const other = { input: { operatorId: await idOf(second), role: 'administrator' } };
    const answers = await Promise.all([admin.call('withdrawRole', other), second.call('withdrawRole', own)]);
    expect(answers.flatMap(codesOf)).toHaveLength(1);
    const left = await application.rows<{ id: string }>("select id from operator where roles @> '{administrator}'");
    expect(left).toHaveLength(1);
    await application.rows("update operator set roles = '{administrator}' where id = $1", [await idOf(admin)]);
  });
});

describe('finding integrations', () => {
  type Node = { integration: { slug: string; status: string; profile: { publicName: string } }; owner: { id: string; email: string } };
  const list = async (variables: Record<string, unknown>) =>
    (await admin.must<Connection<Node>>('allIntegrations', variables)).edges.map(({ node }) => node.integration.slug);
  let slugs: string[];
  beforeAll(async () => {
    for (const slug of ['zebra-crossing', 'alpha-board', 'alpha-list']) await owner.createIntegration({ slug });
    await application.rows("update integration set status = 'active', reviewed_profile_version = 1 where slug = 'alpha-list'");
    slugs = [integration.slug, 'zebra-crossing', 'alpha-board', 'alpha-list'];
  });

  test('everybody’s are listed with their owner, by age or by slug', async () => {
    expect(await list({})).toEqual(slugs.toReversed());
    expect(await list({ order: 'oldest' })).toEqual(slugs);
    expect(await list({ order: 'slug' })).toEqual(slugs.toSorted());
    const { edges } = await admin.must<Connection<Node>>('allIntegrations');
    expect(edges[0]?.node).toMatchObject({ owner: { email: owner.email }, integration: { profile: { publicName: 'Order Board' } } });
  });

  test('they are found by a part of slug, name or owner’s address, by any identifier, by status and by owner', async () => {
    expect(await list({ order: 'slug', filter: { search: 'PHA-' } })).toEqual(['alpha-board', 'alpha-list']);
    expect(await list({ filter: { search: 'zebra' } })).toEqual(['zebra-crossing']);
    expect(await list({ filter: { search: 'rder boa' } })).toEqual(slugs.toReversed());
    expect(await list({ filter: { search: 'keller@EXAMPLE' } })).toEqual(slugs.toReversed());
    // A part of an address without its @ could stand in the page's own address, so it finds nobody by it.
    expect(await list({ filter: { search: 'keller' } })).toEqual([]);
    const { slug, clientId, commonName } = integration;
    const certificate = await owner.issuedCertificate({ slug, clientId, commonName });
    const [row] = await application.rows<{ serial: string; fingerprint: string }>(
      'select serial, fingerprint_sha256 as fingerprint from certificate where id = $1',
      [certificate.id],
    );
    const { revocationId } = await revokedOrder(application, { clientNo: await clientNumber(application, slug), revokedAt: new Date(0) });
    await owner.must('recordDeletion', { input: { revocationId } });
    for (const search of [clientId, commonName, certificate.id, row?.serial, row?.fingerprint.toUpperCase(), revocationId]) {
      expect([search, await list({ filter: { search } })]).toEqual([search, [slug]]);
    }
    expect(await list({ filter: { search: await idOf(owner) } })).toEqual(slugs.toReversed());
    expect(await list({ filter: { search: `crt_${'0'.repeat(26)}` } })).toEqual([]);
    expect(await list({ filter: { search: '%' } })).toEqual([]);
    expect(await list({ filter: { search: 'alpha', status: 'active' } })).toEqual(['alpha-list']);
    expect(await list({ filter: { search: integration.id } })).toEqual([integration.slug]);
    expect(await list({ filter: { status: 'active' } })).toEqual(['alpha-list']);
    expect(await list({ filter: { operatorId: await idOf(admin) } })).toEqual([]);
    expect(fieldsOf(await admin.call('allIntegrations', { filter: { search: 'a\u0007' } }))).toHaveProperty(['filter.search']);
  });

  test.each(['newest', 'oldest', 'slug'])('pages follow each other without a gap, ordered by: %s', async (order) => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 4; page += 1) {
      const { edges, pageInfo }: Connection<Node> = await admin.must('allIntegrations', { order, first: 1, after });
      seen.push(...edges.map(({ node }) => node.integration.slug));
      after = pageInfo.endCursor;
      expect(pageInfo.hasNextPage).toBe(page < 3);
    }
    expect(seen).toEqual(await list({ order }));
  });

  test('one integration is read by its slug, whoever owns it', async () => {
    expect(await admin.must('anyIntegration', { slug: 'alpha-board' })).toMatchObject({ owner: { id: await idOf(owner) } });
    expect(codesOf(await owner.call('anyIntegration', { slug: 'alpha-board' }))).toEqual(['FORBIDDEN']);
  });
});

test('an administrator sees what an integration still has to delete in production, and what of it is overdue', async () => {
  const deletions = async (slug: string) =>
    (await admin.must<{ deletions: { outstanding: number; overdue: number } }>('anyIntegration', { slug })).deletions;
  const { slug } = await owner.createIntegration();
  expect(await deletions(slug)).toEqual({ outstanding: 0, overdue: 0 });
  const day = 24 * 60 * 60 * 1000;
  const revokedAgo = async (days: number, environment: 'sandbox' | 'production') => {
    const clientNo = await clientNumber(application, slug, environment);
    return revokedOrder(application, { clientNo, revokedAt: new Date(application.clock.now().getTime() - days * day) });
  };
  await revokedAgo(1, 'production');
  await revokedAgo(8, 'production');
  await revokedAgo(8, 'sandbox');
  const done = await revokedAgo(9, 'production');
  await acknowledge(application, done.revocationId, application.clock.now());
  expect(await deletions(slug)).toEqual({ outstanding: 2, overdue: 1 });
});

test('an administrator reads the certificates and requests of any client, and can neither revoke nor download nor request one', async () => {
  const { slug, clientId, commonName } = await owner.createIntegration();
  const certificate = await owner.issuedCertificate({ slug, clientId, commonName });
  const [request] = await writeRequests(
    application.databaseUrl,
    { clientNo: await clientNumber(application, slug), commonName, certificate },
    [{ status: 403, problem: 'scope_required' }],
  );
  const read = async (client: PortalClient) =>
    [await client.call('certificates', { clientId }), await client.call('requests', { clientId })] as const;
  const [own, seen] = [await read(owner), await read(admin)];
  expect(seen.map(({ data }) => data)).toEqual(own.map(({ data }) => data));
  expect(seen.map(({ text }) => text.includes(certificate.id))).toEqual([true, true]);
  expect(seen[1].text).toContain(request?.requestId);
  for (const stranger of [await application.operator(), await reviewer(application)])
    expect((await read(stranger)).map(codesOf)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
  await admin.confirmFreshly();
  const revoking = await admin.call('revokeCertificate', { input: { certificateId: certificate.id, reason: 'superseded' } });
  const requesting = await admin.call('requestCertificate', { input: { clientId, csr: requestFor(commonName) } });
  expect([revoking, requesting].map(codesOf)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
  expect((await admin.fetch(`/certificates/${certificate.id}/bundle.pem`)).status).toBe(404);
  expect(codesOf(await admin.call('usage', { clientId, period: 'day' }))).toEqual(['NOT_FOUND']);
});

describe('jobs that failed', () => {
  const jobs = async () => (await admin.must<Connection<Job>>('failedJobs')).edges.map(({ node }) => node);
  const failing = async (lastError: string, attempts: number, locked = false) => {
    const [row] = await application.rows<{ id: string }>(
      `select id from graphile_worker.add_job('sendMail', '{"mailId":"mail_x"}', run_at => now() + interval '1 hour')`,
    );
    await application.rows(
      `update graphile_worker._private_jobs set last_error = $2, attempts = $3, locked_at = case when $4 then now() end, locked_by = case when $4 then 'w' end where id = $1`,
      [row?.id, lastError, attempts, locked],
    );
    return row?.id ?? '';
  };

  test('they are shown with their attempts and next run, never with what a driver quoted', async () => {
    await application.rows("select graphile_worker.add_job('sendMail', '{}', run_at => now() + interval '1 hour')");
    const retrying = await failing('sendMail failed (ECONNREFUSED); the log has the reason', 3);
    const ended = await failing('550 mailbox anna.keller@example.org unavailable', 25);
    const [first, second, ...others] = await jobs();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ id: ended, state: 'failed', lastError: 'sendMail failed; the log has the reason', nextRunAt: null });
    expect(second).toMatchObject({ id: retrying, state: 'retrying', attempts: 3, lastError: expect.stringContaining('ECONNREFUSED') });
    expect(Date.parse(second?.nextRunAt ?? '')).toBeGreaterThan(Date.now());
  });

  test('they are filtered by state and by kind, and ordered by age', async () => {
    const [row] = await application.rows<{ id: string }>(
      `select id from graphile_worker.add_job('issueCertificate', '{}', run_at => now() + interval '1 hour')`,
    );
    await application.rows(`update graphile_worker._private_jobs set last_error = 'x', attempts = 2 where id = $1`, [row?.id]);
    const found = async (variables: Record<string, unknown>) =>
      (await admin.must<Connection<Job>>('failedJobs', variables)).edges.map(({ node }) => `${node.name} ${node.state}`);
    const all = await found({});
    expect(all).toEqual(['issueCertificate retrying', 'sendMail failed', 'sendMail retrying']);
    expect(await found({ order: 'oldest' })).toEqual(all.toReversed());
    expect(await found({ filter: { state: 'failed' } })).toEqual(['sendMail failed']);
    expect(await found({ filter: { search: 'sendmail' } })).toEqual(['sendMail failed', 'sendMail retrying']);
    expect(await found({ filter: { search: 'sendMail', state: 'retrying' }, order: 'oldest' })).toEqual(['sendMail retrying']);
    expect(await found({ filter: { search: 'nothingLikeThis' } })).toEqual([]);
    expect(fieldsOf(await admin.call('failedJobs', { filter: { search: 'a\u0007' } }))).toHaveProperty(['filter.search']);
    await application.rows('delete from graphile_worker._private_jobs where id = $1', [row?.id]);
  });

  test('they are found by their number, by what they were given, and by the integration or account that they are about', async () => {
    const {
      id: integrationId,
      slug,
      clientId,
      commonName,
    } = await owner.createIntegration({ publicName: 'Quay Seven', slug: 'quay-seven' });
    const certificate = await owner.issuedCertificate({ slug, clientId, commonName });
    await application.rows("update certificate set status = 'failed', slot = null where id = $1", [certificate.id]);
    await application.rows(
      `insert into mail (id, kind, subject_id, operator_id, integration_id, details, created_at)
       values ('mail_about', 'suspended', 'a', $1, $2, '{}', now()), ('mail_staff', 'suspended', 'b', $3, $2, '{}', now()), ('mail_other', 'suspended', 'c', $1, null, '{}', now())`,
      [await idOf(owner), integrationId, await idOf(admin)],
    );
    const failed = async (name: string, payload: object) => {
      const [row] = await application.rows<{ id: string }>(
        `select id from graphile_worker.add_job($1, $2::json, run_at => now() + interval '1 hour')`,
        [name, JSON.stringify(payload)],
      );
      await application.rows(`update graphile_worker._private_jobs set last_error = 'x', attempts = 2 where id = $1`, [row?.id]);
      return row?.id ?? '';
    };
    const corpus = await failed('buildSandboxCorpus', { clientNo: await clientNumber(application, slug), generation: 1 });
    const issue = await failed('issueCertificate', { certificateId: certificate.id });
    const [about, staff, other] = [
      await failed('sendMail', { mailId: 'mail_about' }),
      await failed('sendMail', { mailId: 'mail_staff' }),
      await failed('sendMail', { mailId: 'mail_other' }),
    ];
    const all = [corpus, issue, about, staff, other];
    const found = async (search: string, more: object = {}) =>
      (await admin.must<Connection<Job>>('failedJobs', { filter: { search, ...more }, order: 'oldest' })).edges
        .map(({ node }) => node.id)
        .filter((id) => all.includes(id));
    for (const search of ['QUAY SEV', 'quay-se', integrationId, clientId, commonName, certificate.serial ?? ''])
      expect([search, await found(search)]).toEqual([search, [corpus, issue, about, staff]]);
    for (const search of ['keller@EXAMPLE', await idOf(owner)])
      expect([search, await found(search)]).toEqual([search, [corpus, issue, about, staff, other]]);
    expect(await found(certificate.id)).toEqual([corpus, issue, about, staff]);
    expect([await found('mail_staff'), await found(corpus)]).toEqual([[staff], [corpus]]);
    expect(await found('quay seven', { state: 'failed' })).toEqual([]);
    expect([await found('keller'), await found('1'), await found('%')]).toEqual([[], [], []]);
    const pages: string[] = [];
    for (let after: string | null = null; ;) {
      const { edges, pageInfo }: Connection<Job> = await admin.must('failedJobs', { filter: { search: 'quay seven' }, first: 1, after });
      pages.push(...edges.map(({ node }) => node.id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(pages).toEqual([staff, about, issue, corpus]);
    await application.rows('delete from graphile_worker._private_jobs where id = any ($1::bigint[])', [all]);
    await application.rows("delete from mail where id in ('mail_about', 'mail_staff', 'mail_other')");
  });

  test('one is retried at once with all its attempts, which the trail tells; one that runs is left alone', async () => {
    const [ended] = await jobs();
    const retried = await admin.must<Job>('retryJob', { input: { jobId: ended?.id } });
    expect(retried).toMatchObject({ state: 'retrying', attempts: 0 });
    expect(Date.parse(retried.nextRunAt ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
    expect((await trail(admin, { filter: { action: 'job.retried' } })).edges).toMatchObject([
      { node: { subjectId: ended?.id, details: { name: 'sendMail' } } },
    ]);
    const running = await failing('sendMail failed; the log has the reason', 2, true);
    expect((await jobs())[0]).toMatchObject({ id: running, state: 'running' });
    expect(codesOf(await admin.call('retryJob', { input: { jobId: running } }))).toEqual(['CONFLICT']);
    expect(codesOf(await admin.call('retryJob', { input: { jobId: '999999' } }))).toEqual(['NOT_FOUND']);
  });
});

describe('the audit trail', () => {
  test('owners see their own, and neither who of the staff it was nor from where', async () => {
    await application.rows("update integration set status = 'active', reviewed_profile_version = 1 where id = $1", [integration.id]);
    await admin.must('suspendIntegration', { input: { integrationId: integration.id, reason: 'An incident' } });
    const { edges } = await trail(owner, { filter: { integrationId: integration.id } });
    const suspended = edges.find(({ node }) => node.action === 'integration.suspended')?.node;
    expect(suspended).toMatchObject({ actorType: 'operator', actorId: null, ip: null, requestId: null });
    expect(suspended?.details).toMatchObject({ reason: 'An incident' });
    expect(edges.find(({ node }) => node.action === 'integration.created')?.node).toMatchObject({
      actorId: await idOf(owner),
      ip: expect.any(String),
    });
    const whole = await trail(owner);
    expect(new Set(whole.edges.map(({ node }) => node.operatorId))).toEqual(new Set([await idOf(owner)]));
    expect(actionsOf(whole)).toContain('operator.registered');
    expect(actionsOf(await trail(admin, { own: true }))).not.toContain('integration.created');
  });

  test('what belongs to another reads like what never existed', async () => {
    const stranger = await application.operator();
    const answers = await Promise.all(
      [integration.id, `int_${'0'.repeat(26)}`].map((integrationId) => stranger.call('auditTrail', { filter: { integrationId } })),
    );
    expect(answers.map(codesOf)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(fieldsOf(await stranger.call('auditTrail', { filter: { actorId: await idOf(owner) } }))).toHaveProperty(['filter.actorId']);
  });

  test('administrators filter all of it by who, what, whose, action and time', async () => {
    const [adminId, ownerId] = [await idOf(admin), await idOf(owner)];
    const all = await trail(admin);
    expect(actionsOf(all)).toEqual(expect.arrayContaining(['integration.suspended', 'role.granted', 'terms.accepted']));
    for (const [filter, holds] of [
      [{ actorId: adminId }, (node: Entry) => node.actorId === adminId],
      [{ actorId: adminId, action: 'role.granted' }, (node: Entry) => node.actorId === adminId && node.action === 'role.granted'],
      [{ subjectId: integration.id }, (node: Entry) => node.subjectId === integration.id],
      [{ integrationId: integration.id }, (node: Entry) => node.integrationId === integration.id],
      [{ operatorId: ownerId }, (node: Entry) => node.operatorId === ownerId],
      [{ action: 'integration.suspended' }, (node: Entry) => node.action === 'integration.suspended'],
    ] as const) {
      const { edges } = await trail(admin, { filter });
      expect(edges.map(({ node }) => node)).toEqual(all.edges.map(({ node }) => node).filter(holds));
      expect(edges.length).toBeGreaterThan(0);
    }
    const from = new Date(Date.now() + 60_000).toISOString();
    expect(actionsOf(await trail(admin, { filter: { from } }))).toEqual([]);
    expect(actionsOf(await trail(admin, { filter: { to: from } }))).toEqual(actionsOf(all));
  });

  test('administrators search it by name, slug, address or any identifier, of subject, actor, integration and account', async () => {
    const named = await owner.createIntegration({ publicName: 'Harbour Lights', slug: 'harbour-lights' });
    const other = await owner.createIntegration({ publicName: 'Harbour Signals' });
    const certificate = await owner.issuedCertificate(named);
    const token = { name: 'Harbour feed', environment: 'sandbox', permissions: ['catalogue.read'] };
    const { serviceToken } = await admin.must<{ serviceToken: { id: string } }>('createServiceToken', { input: token });
    const [adminId, ownerId] = [await idOf(admin), await idOf(owner)];
    const found = async (search: string, searchIn?: string) =>
      (await trail(admin, { filter: { search, ...(searchIn && { searchIn }) }, first: 100 })).edges.map(({ node }) => node);
    const of = async (filter: Record<string, unknown>) => (await trail(admin, { filter, first: 100 })).edges.map(({ node }) => node);

    for (const search of ['BOUR LIG', 'harbour-l', named.id, named.clientId, named.commonName, certificate.id, certificate.serial ?? '']) {
      expect([search, await found(search, 'integrationId')]).toEqual([search, await of({ integrationId: named.id })]);
    }
    // Of several the entries come together, newest first.
    const both = await found('harbour', 'integrationId');
    expect(new Set(both.map(({ integrationId }) => integrationId))).toEqual(new Set([named.id, other.id]));
    expect(both.map(({ id }) => Number(id))).toEqual(both.map(({ id }) => Number(id)).toSorted((one, next) => next - one));
    for (const search of ['keller@EXAMPLE', ownerId, 'harbour-lights'])
      expect([search, await found(search, 'operatorId')]).toEqual([search, await of({ operatorId: ownerId })]);
    expect(await found(owner.email, 'actorId')).toEqual(await of({ actorId: ownerId }));
    expect(await found(adminId, 'actorId')).toEqual(await of({ actorId: adminId }));
    const subjects = new Set((await found('harbour')).map(({ subjectId }) => subjectId));
    expect([named.id, other.id, serviceToken.id].filter((id) => !subjects.has(id))).toEqual([]);
    expect([...subjects].filter((id) => !/^(int|cli|svt)_/.test(id))).toEqual([]);
    expect(await found(named.id)).toEqual(await of({ subjectId: named.id }));
    expect((await found(certificate.serial ?? '')).map(({ subjectId }) => subjectId)).toContain(certificate.id);
    // A part of an address without its @ would stand in the page’s own address.
    expect(await found('keller', 'operatorId')).toEqual([]);
    expect(await found('never-heard-of')).toEqual([]);
    expect(await found('never-heard-of', 'integrationId')).toEqual([]);

    const paged: string[] = [];
    for (let after: string | null = null; ;) {
      const { edges, pageInfo }: Connection<Entry> = await trail(admin, {
        filter: { search: 'harbour', searchIn: 'integrationId' },
        first: 3,
        after,
      });
      paged.push(...edges.map(({ node }) => node.id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(paged).toEqual(both.map(({ id }) => id));

    // The address of the file has identifiers alone, and it holds what the page has shown.
    const exported = await admin.must<{ entries: number; identifiers: string[] }>('auditExport', {
      filter: { search: 'harbour', searchIn: 'integrationId' },
    });
    expect({ ...exported, identifiers: exported.identifiers.toSorted() }).toEqual({
      entries: both.length,
      identifiers: [named.id, other.id].toSorted(),
    });
    const file = await admin.fetch(`/exports/audit-trail.ndjson?${exported.identifiers.map((id) => `integrationId=${id}`).join('&')}`);
    expect(
      (await file.text())
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Entry).id),
    ).toEqual(both.map(({ id }) => id));
    for (const searchIn of ['actorId', 'subjectId'])
      expect(await admin.must('auditExport', { filter: { search: owner.email, searchIn } })).toMatchObject({ identifiers: [ownerId] });
    expect(
      (await admin.must<{ identifiers: string[] }>('auditExport', { filter: { search: `svct_${'a'.repeat(43)}` } })).identifiers,
    ).toEqual([]);
    expect(await found(ownerId.toUpperCase(), 'actorId')).toEqual(await of({ actorId: ownerId }));
    expect(await admin.must('auditExport', { filter: { search: 'never-heard-of' } })).toEqual({ entries: 0, identifiers: [] });
  });

  test('a search that names too much, stands beside an identifier or is not for its reader is refused at its field', async () => {
    await application.rows(
      `insert into operator (id, email, email_key, user_handle, created_at)
       select 'opr_c' || lpad(n::text, 25, '0'), 'crowd' || n || '@crowd.example', 'crowd' || n || '@crowd.example', sha256(n::text::bytea || 'c'), now() from generate_series(1, 101) n`,
    );
    expect(fieldsOf(await admin.call('auditTrail', { filter: { search: '@crowd', searchIn: 'operatorId' } }))).toEqual({
      'filter.search': 'This names more than 100 things at once. Enter more of the name, slug or address.',
    });
    await application.rows("delete from operator where id like 'opr\\_c0%'");
    const beside = { search: 'order', integrationId: integration.id };
    expect(fieldsOf(await admin.call('auditTrail', { filter: beside }))).toEqual({
      'filter.search': 'Specify either a search or an identifier.',
    });
    expect(fieldsOf(await owner.call('auditTrail', { filter: { search: 'order' } }))).toHaveProperty(['filter.search']);
    expect(fieldsOf(await admin.call('auditTrail', { filter: { search: 'a\u0007' } }))).toHaveProperty(['filter.search']);
    const many = Array.from({ length: 101 }, (_, n) => `integrationId=int_${n}`).join('&');
    expect((await admin.fetch(`/exports/audit-trail.csv?${many}`)).status).toBe(400);
  });

  test('it is read page by page to its end, and every entry comes once', async () => {
    const whole = await trail(admin, { first: 100 });
    const ids: string[] = [];
    for (let after: string | null = null; ;) {
      const { edges, pageInfo }: Connection<Entry> = await trail(admin, { first: 7, after });
      ids.push(...edges.map(({ node }) => node.id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(ids).toEqual(whole.edges.map(({ node }) => node.id));
  });

  test('a question that no index answers is refused with the field named', async () => {
    const two = await admin.call('auditTrail', { filter: { actorId: await idOf(admin), subjectId: integration.id } });
    expect(fieldsOf(two)).toEqual({ 'filter.subjectId': 'Specify only one of actor, subject, integration and operator.' });
    expect(fieldsOf(await admin.call('auditTrail', { filter: { action: "x' or 1" } }))).toHaveProperty(['filter.action']);
    expect(fieldsOf(await admin.call('auditTrail', { after: 'AAAA' }))).toHaveProperty('after');
    const time = '2026-11-21T10:00:00Z';
    expect(fieldsOf(await admin.call('auditTrail', { filter: { from: time, to: time } }))).toHaveProperty(['filter.to']);
  });

  test('publishing statistics by the tooling enters the owner’s trail', async () => {
    const other = await owner.createIntegration({ requestedScopes: ['orders.read', 'statistics.orders.read'] });
    const tooling = await toolingClient(application);
    await tooling.must('publishStatisticsGeneration', { input: { integrationId: other.id } });
    expect((await trail(owner, { filter: { integrationId: other.id, action: 'statistics.published' } })).edges).toMatchObject([
      { node: { actorType: 'service_token', actorId: null } },
    ]);
  });
});

test('gates and tokens are searched like integrations, and names stand beside identifiers, for administrators alone', async () => {
  const named = await owner.createIntegration({ publicName: 'Polar Watch', slug: 'polar-watch' });
  await application.rows("update integration set status = 'approved', reviewed_profile_version = 1 where id = $1", [named.id]);
  const gates = async (search: string) =>
    (
      await admin.graphql<{ productionIntegrations: Connection<{ slug: string }> }>(
        'query ($search: String!) { productionIntegrations(search: $search) { edges { node { slug } } } }',
        { search },
      )
    ).data?.productionIntegrations.edges.map(({ node }) => node.slug);
  expect(await gates('olar wat')).toEqual(['polar-watch']);
  expect(await gates('never-heard-of')).toEqual([]);
  const token = { name: 'Polar feed', environment: 'sandbox', permissions: ['catalogue.read'] };
  const { serviceToken } = await admin.must<{ serviceToken: { id: string } }>('createServiceToken', { input: token });
  const tokens = async (search: string) =>
    (
      await admin.graphql<{ serviceTokens: Connection<{ id: string }> }>(
        'query ($search: String!) { serviceTokens(search: $search) { edges { node { id } } } }',
        { search },
      )
    ).data?.serviceTokens.edges.map(({ node }) => node.id);
  expect([await tokens('LAR FE'), await tokens(serviceToken.id), await tokens('polar watch')]).toEqual([
    [serviceToken.id],
    [serviceToken.id],
    [],
  ]);

  await admin.must('openProductionGate', { input: { integrationId: named.id, reason: 'A pilot' } });
  await admin.must('openProductionGate', { input: { reason: 'The rollout' } });
  const names = 'edges { node { actorName subjectName integrationName operatorName } }';
  type Names = Record<'actorName' | 'subjectName' | 'integrationName' | 'operatorName', string | null>;
  const entriesFor = async (client: PortalClient, own: boolean) =>
    (
      await client.graphql<{ auditTrail: Connection<Names> }>(
        `query ($own: Boolean!, $id: ID!) { auditTrail(own: $own, first: 1, filter: { integrationId: $id, action: "integration.gate_opened" }) { ${names} } }`,
        { own, id: named.id },
      )
    ).data?.auditTrail.edges.map(({ node }) => node);
  const adminName = (await admin.viewer()).data?.email ?? '';
  const known = { subjectName: 'Polar Watch', integrationName: 'Polar Watch', operatorName: 'anna.keller@example.org' };
  const [shown] = (await entriesFor(admin, false)) ?? [];
  expect(shown).toEqual({ actorName: expect.stringContaining('@'), ...known });
  expect(await entriesFor(owner, true)).toEqual([{ actorName: null, subjectName: null, integrationName: null, operatorName: null }]);
  const history = await admin.graphql<{ serviceGateHistory: Connection<{ changedByName: string }> }>(
    '{ serviceGateHistory(first: 1) { edges { node { changedByName } } } }',
  );
  expect(history.data?.serviceGateHistory.edges[0]?.node.changedByName).toBe(shown?.actorName);
  expect(adminName).not.toBe('');
});
