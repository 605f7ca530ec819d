import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountLimits } from '../../../server/domain/account/accountLimits.ts';
import { csvCell } from '../../../server/domain/audit/exportAuditTrail.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { actorOf } from '../../support/world/reviewPath.ts';
import { administrator, toolingClient } from '../../support/clients/toolingClient.ts';
import { countedAttempts } from '../../support/world/accountFixtures.ts';
import { auditEntries } from '../../support/world/recordFixtures.ts';

type Entry = { id: string; action: string; actorId: string | null; details: Record<string, unknown> };
type Trail = { edges: { node: Entry }[] };

let application: PortalWorld;
let admin: PortalClient;
let owner: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [admin, owner] = [await administrator(application), await application.operator()];
  integration = await owner.createIntegration();
  await admin.confirmFreshly();
});
afterAll(() => application.close());

const idOf = async (client: PortalClient) => (await actorOf(client)).operatorId;
const trail = (client: PortalClient, variables: Record<string, unknown>) => client.must<Trail>('auditTrail', variables);
const actionsOf = ({ edges }: Trail) => edges.map(({ node }) => node.action);

test('an administrator takes the filtered trail as CSV and as NDJSON, and that stands in the trail', async () => {
  const query = `?integrationId=${integration.id}`;
  const csv = await admin.fetch(`/exports/audit-trail.csv${query}`);
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-trail-\d{4}-\d{2}-\d{2}\.csv"$/);
  expect(csv.headers.get('cache-control')).toBe('no-store');
  const [head, ...lines] = (await csv.text()).trimEnd().split('\r\n');
  expect(head).toBe('id,occurredAt,actorType,actorId,action,subjectType,subjectId,operatorId,integrationId,requestId,ip,details');
  const listed = await trail(admin, { filter: { integrationId: integration.id } });
  expect(lines.map((line) => line.split(',')[0])).toEqual(listed.edges.map(({ node }) => node.id));
  const ndjson = await (await admin.fetch(`/exports/audit-trail.ndjson${query}`)).text();
  expect(
    ndjson
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Entry).action),
  ).toEqual(actionsOf(listed));
  expect((await trail(admin, { filter: { action: 'audit_trail.exported' } })).edges[0]?.node).toMatchObject({
    actorId: await idOf(admin),
    details: { format: 'ndjson', integrationId: integration.id, entries: lines.length },
  });
});

test('an administrator exports it so often an hour', async () => {
  const other = await administrator(application);
  await other.confirmFreshly();
  const most = accountLimits.auditExportsPerOperatorPerHour;
  await countedAttempts(
    application,
    { kind: 'audit_export_operator', source: await idOf(other), since: application.clock.now() },
    most - 1,
  );
  const taken = () => other.fetch(`/exports/audit-trail.csv?integrationId=${integration.id}`);
  expect((await taken()).status).toBe(200);
  const refused = await taken();
  expect(refused.status).toBe(429);
  expect(await refused.text()).toContain(`${most} times an hour`);
});

test('it goes on over many pages and comes to an end', async () => {
  await auditEntries(application, 'test.filled', 350, 1);
  const text = await (await admin.fetch('/exports/audit-trail.ndjson?action=test.filled')).text();
  expect(
    new Set(
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Entry).id),
    ).size,
  ).toBe(350);
});

test('it is more than anybody may have in one go, which is said before a download begins', async () => {
  expect(await admin.must('auditExport', { filter: { action: 'test.filled' } })).toEqual({ entries: 350, identifiers: [] });
  await auditEntries(application, 'test.many', 100_001);
  const refused = await admin.call('auditExport', { filter: { action: 'test.many' } });
  expect(refused.errors[0]?.message).toBe('There are more than 100,000 entries. Choose a shorter period.');
  expect((await admin.fetch('/exports/audit-trail.csv?action=test.many')).status).toBe(400);
});

test('an administrator without a fresh confirmation gets none of it, and nothing of that enters the trail', async () => {
  const unconfirmed = await administrator(application);
  const answer = await unconfirmed.fetch('/exports/audit-trail.csv');
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'fresh_passkey_required']);
  expect(codesOf(await unconfirmed.call('auditExport'))).toEqual(['FRESH_PASSKEY_REQUIRED']);
  const exports = await trail(admin, { filter: { action: 'audit_trail.exported', actorId: await idOf(unconfirmed) } });
  expect(exports.edges).toEqual([]);
});

test('nobody else gets it, and a filter that makes no sense is refused', async () => {
  expect((await application.browser().fetch('/exports/audit-trail.csv')).status).toBe(401);
  expect((await owner.fetch('/exports/audit-trail.csv')).status).toBe(403);
  expect((await (await toolingClient(application)).fetch('/exports/audit-trail.csv')).status).toBe(401);
  expect((await admin.fetch('/exports/audit-trail.xls')).status).toBe(404);
  for (const unknown of ['search=anna.keller%40example.org', 'integrationID=int_x', 'action=a.b&x']) {
    const answer = await admin.fetch(`/exports/audit-trail.csv?${unknown}`);
    expect([unknown, answer.status]).toEqual([unknown, 400]);
    expect(await answer.text()).toContain('The parameters of an export are actorId,');
  }
  for (const empty of ['integrationId', 'action', 'to']) {
    const answer = await admin.fetch(`/exports/audit-trail.csv?${empty}=`);
    expect([empty, answer.status]).toEqual([empty, 400]);
    expect(await answer.text()).toContain('Give this parameter a value');
  }
  for (const from of ['yesterday', '-271821-04-20T00:00:00Z', '%2B275760-09-13T00:00:00Z']) {
    expect([from, (await admin.fetch(`/exports/audit-trail.csv?from=${from}`)).status]).toEqual([from, 400]);
  }
});

test.each([
  ['=HYPERLINK("https://example.com")', `"'=HYPERLINK(""https://example.com"")"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\tx', `"'\tx"`],
  ['a,b', '"a,b"'],
  ['two\nlines', '"two\nlines"'],
  ['plain', 'plain'],
])('a cell that reads %j does nothing in a spreadsheet', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});
