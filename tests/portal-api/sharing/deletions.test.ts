import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { acknowledge, numberOfClient, revokedConnection, revokedOrder } from '../../support/world/revocationFixtures.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';

const day = 24 * 60 * 60 * 1000;

type Revocation = {
  id: string;
  environment: string;
  subjectType: string;
  subjectId: string;
  connectionId: string;
  resourceCount: number;
  revokedAt: string;
  deletionDeadlineAt: string;
  acknowledgedAt: string | null;
  acknowledgedLate: boolean;
  fixture: boolean;
  overdue: boolean;
};
type Page = {
  outstandingCount: number;
  dueCount: number;
  overdueCount: number;
  nextDeadlineAt: string | null;
  overdueSince: string | null;
  lastDoneAt: string | null;
  elsewhere: { dueCount: number; overdueCount: number; nextDeadlineAt: string | null };
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  edges: { node: Revocation }[];
};

let application: PortalWorld;
let owner: PortalClient;
let slug: string;
let now: number;
/** The IDs of revocations, by what each of them stands for. */
const ids = {} as Record<'order' | 'connection' | 'overdue' | 'production' | 'acknowledged' | 'late', string>;

beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await application.operator();
  ({ slug } = await owner.createIntegration());
  const sandbox = await numberOfClient(application, slug);
  const production = await numberOfClient(application, slug, 'production');
  now = application.clock.now().getTime();
  const ago = (clientNumber: number, days: number) => ({ clientNumber, revokedAt: new Date(now - days * day) });
  ids.order = (await revokedOrder(application, ago(sandbox, 1))).revocationId;
  ids.connection = (await revokedConnection(application, ago(sandbox, 3), 4)).revocationId;
  ids.overdue = (await revokedOrder(application, ago(sandbox, 8))).revocationId;
  ids.production = (await revokedConnection(application, ago(production, 5), 1)).revocationId;
  ids.acknowledged = (await revokedOrder(application, ago(sandbox, 20))).revocationId;
  ids.late = (await revokedOrder(application, ago(sandbox, 30))).revocationId;
  await acknowledge(application, ids.acknowledged, new Date(now - 15 * day));
  await acknowledge(application, ids.late, new Date(now - 20 * day), true);
});
afterAll(() => application.close());

const list = (variables: Record<string, unknown> = {}, reader = owner) => reader.must<Page>('revocations', { slug, ...variables });
const idsOf = ({ edges }: Page) => edges.map(({ node }) => node.id);

describe('the deletion queue', () => {
  test('holds what is outstanding in all environments, the nearest deadline first, and counts it', async () => {
    const page = await list();
    expect(idsOf(page)).toEqual([ids.overdue, ids.production, ids.connection, ids.order]);
    expect(page).toMatchObject({ outstandingCount: 4, overdueCount: 1, pageInfo: { hasNextPage: false } });
  });

  test('says of each what it is about, how many resources it covers, and until when', async () => {
    const nodes = Object.fromEntries((await list()).edges.map(({ node }) => [node.id, node]));
    expect(nodes[ids.connection]).toEqual({
      id: ids.connection,
      environment: 'sandbox',
      subjectType: 'connection',
      subjectId: nodes[ids.connection]?.connectionId,
      connectionId: expect.stringMatching(/^con_/),
      resourceCount: 4,
      revokedAt: new Date(now - 3 * day).toISOString(),
      deletionDeadlineAt: new Date(now + 4 * day).toISOString(),
      acknowledgedAt: null,
      acknowledgedLate: false,
      recordedByHand: false,
      fixture: false,
      overdue: false,
    });
    expect(nodes[ids.order]).toMatchObject({ subjectType: 'resource', subjectId: expect.stringMatching(/^ord_/), resourceCount: 1 });
    expect(nodes[ids.overdue]).toMatchObject({ overdue: true, resourceCount: 1 });
    expect(nodes[ids.production]).toMatchObject({ environment: 'production', resourceCount: 1 });
  });

  test('says when the next one is due and since when one is overdue, in each environment', async () => {
    const deadline = (days: number) => new Date(now + (7 - days) * day).toISOString();
    expect(await list({ environment: 'sandbox' })).toMatchObject({ nextDeadlineAt: deadline(3), overdueSince: deadline(8) });
    expect(await list({ environment: 'production' })).toMatchObject({
      nextDeadlineAt: deadline(5),
      overdueSince: null,
      elsewhere: { dueCount: 3, overdueCount: 1, nextDeadlineAt: deadline(3) },
    });
  });

  test('says when the last one was done, and nothing where none was', async () => {
    expect((await list({ environment: 'sandbox' })).lastDoneAt).toBe(new Date(now - 15 * day).toISOString());
    expect((await list({ environment: 'production' })).lastDoneAt).toBeNull();
  });

  test('finds one by its ID, whatever its state, and nothing for an ID of another integration', async () => {
    for (const id of [ids.overdue, ids.acknowledged]) expect(idsOf(await list({ id }))).toEqual([id]);
    const { slug: another } = await owner.createIntegration();
    expect(idsOf(await list({ slug: another, id: ids.overdue }))).toEqual([]);
  });

  test('shows the overdue alone, or the acknowledged with how they were', async () => {
    expect(idsOf(await list({ state: 'overdue', first: 90 }))).toEqual([ids.overdue]);
    const acknowledged = await list({ state: 'acknowledged', order: 'newest' });
    expect(acknowledged.edges.map(({ node }) => [node.id, node.acknowledgedLate, node.overdue])).toEqual([
      [ids.acknowledged, false, false],
      [ids.late, true, false],
    ]);
    expect(acknowledged.outstandingCount).toBe(4);
  });

  test('holds the fixture of the test data as outstanding, never as due, overdue or late', async () => {
    const young = await SandboxClient.open(application, ['orders.read']);
    const page = (state: string) => young.operator.must<Page>('revocations', { slug: young.slug, state });
    const [fixture] = idsOf(await page('outstanding'));
    await application.rows('update revocation set deletion_deadline_at = $2 where id = $1', [fixture, new Date(now - day)]);
    const outstanding = await page('outstanding');
    expect(outstanding).toMatchObject({ outstandingCount: 1, dueCount: 0, overdueCount: 0 });
    expect(outstanding.edges.map(({ node }) => [node.fixture, node.overdue])).toEqual([[true, false]]);
    for (const state of ['due', 'overdue']) expect(idsOf(await page(state))).toEqual([]);
    const { resourceId } = (await young.must<{ resourceId: string }[]>('advanceSandboxResource'))[0] ?? {};
    const revoked = await young.must<{ revocationId: string }>('revokeSandboxShare', { resourceId });
    expect(idsOf(await page('due'))).toEqual([revoked.revocationId]);
    expect(await page('due')).toMatchObject({ outstandingCount: 2, dueCount: 1 });
  });

  test('keeps to one environment when asked, in its list and its counts', async () => {
    const production = await list({ environment: 'production' });
    expect(idsOf(production)).toEqual([ids.production]);
    expect(production).toMatchObject({ outstandingCount: 1, overdueCount: 0 });
    expect(await list({ environment: 'sandbox' })).toMatchObject({ outstandingCount: 3, overdueCount: 1 });
  });

  test.each(['deadline', 'newest'])('can be read page by page, by %s, over both environments', async (order) => {
    const whole = idsOf(await list({ order }));
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const page: Page = await list({ order, first: 1, after });
      seen.push(...idsOf(page));
      ({ hasNextPage: more, endCursor: after } = page.pageInfo);
    }
    expect(seen).toEqual(whole);
    expect(order === 'newest' ? whole.toReversed() : whole).toEqual([ids.overdue, ids.production, ids.connection, ids.order]);
  });

  test('goes on behind an item that has been acknowledged since', async () => {
    const first = await list({ first: 2 });
    await acknowledge(application, ids.production, new Date(now));
    try {
      expect(idsOf(await list({ after: first.pageInfo.endCursor }))).toEqual([ids.connection, ids.order]);
    } finally {
      await application.rows('update revocation set acknowledged_at = null where id = $1', [ids.production]);
    }
  });

  test.each([0, -1, 101])('refuses a page of %d', async (first) => {
    const query = 'query ($slug: String!, $first: Int!) { revocations(slug: $slug, first: $first) { edges { node { id } } } }';
    expect(Object.keys(fieldsOf(await owner.graphql(query, { slug, first })))).toEqual(['first']);
  });

  test('refuses a cursor that is not one, or is another integration’s', async () => {
    const other = await owner.createIntegration();
    const foreign = await revokedOrder(application, {
      clientNumber: await numberOfClient(application, other.slug),
      revokedAt: new Date(now),
    });
    for (const after of ['', 'AAAA', Buffer.from(foreign.revocationId).toString('base64url')])
      expect(Object.keys(fieldsOf(await owner.call('revocations', { slug, after })))).toEqual(['after']);
    expect(idsOf(await list({ slug: other.slug }))).toEqual([foreign.revocationId]);
  });

  test('is empty for an integration that nobody has revoked anything from', async () => {
    const { slug: fresh } = await owner.createIntegration();
    expect(await list({ slug: fresh })).toEqual({
      outstandingCount: 0,
      dueCount: 0,
      overdueCount: 0,
      nextDeadlineAt: null,
      overdueSince: null,
      lastDoneAt: null,
      elsewhere: { dueCount: 0, overdueCount: 0, nextDeadlineAt: null },
      pageInfo: { hasNextPage: false, endCursor: null },
      edges: [],
    });
  });

  test('of another operator is not found, with a cursor of it too', async () => {
    const stranger = await application.operator();
    const { pageInfo } = await list({ first: 1 });
    for (const after of [null, pageInfo.endCursor])
      expect(codesOf(await stranger.call('revocations', { slug, after }))).toEqual(['NOT_FOUND']);
  });
});
