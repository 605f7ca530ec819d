import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from '../../support/clients/pages.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { administrator, toolingClient } from '../../support/clients/toolingClient.ts';
import { operators } from '../../support/world/accountFixtures.ts';

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

let application: PortalWorld;
let admin: PortalClient;
let owner: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [admin, owner] = [await administrator(application), await application.operator('anna.keller@example.org')];
  integration = await owner.createIntegration();
  await admin.confirmFreshly();
  await admin.must('grantRole', { input: { operatorId: await idOf(await application.operator()), role: 'reviewer' } });
});
afterAll(() => application.close());

const idOf = async (client: PortalClient) => (await client.viewer()).data?.operatorId ?? '';
const trail = (client: PortalClient, variables: Record<string, unknown> = {}) => client.must<Connection<Entry>>('auditTrail', variables);
const actionsOf = ({ edges }: Connection<Entry>) => edges.map(({ node }) => node.action);

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
    // The entries of several come together, newest first.
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
    // A part of an email address without its @ would appear in the page’s own address.
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

    // The address of the file contains only identifiers, and the file holds what the page has shown.
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
    await operators(
      application,
      Array.from({ length: 101 }, (_, n) => `crowd${n}@crowd.example`),
    );
    expect(fieldsOf(await admin.call('auditTrail', { filter: { search: '@crowd', searchIn: 'operatorId' } }))).toEqual({
      'filter.search': 'This names more than 100 things at once. Enter more of the name, slug or address.',
    });
    await application.rows("delete from operator where email like '%@crowd.example'");
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
