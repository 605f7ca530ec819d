import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { print } from 'graphql';
import { inboxQuery } from '../../../portal-web/src/pages/account/inbox/inboxQueries.ts';
import { warnOfExpiringCertificates } from '../../../server/domain/certificate/warnOfExpiringCertificates.ts';
import { notify } from '../../../server/domain/notification/notify.ts';
import { warnOfDeletionDeadline } from '../../../server/domain/sharing/deletion/warnOfDeletionDeadline.ts';
import { warnOfWebhooks } from '../../../workers/tasks/warnOfWebhooks.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { populateStates, type StatesOfPages } from '../../support/portals/pageStates.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { nextProfile } from '../../support/world/profileFixtures.ts';
import { actorOf, approve, reviewer, submit } from '../../support/world/reviewPath.ts';
import { TestClock } from '../../support/world/TestClock.ts';

const day = 24 * 60 * 60 * 1000;
type News = { title: string; text: string; read: boolean; settled: boolean; action: { label: string } | null };

let application: PortalWorld;
let states: StatesOfPages;
let owner: PortalClient;
let staff: PortalClient;

type Inbox = {
  viewer: { unreadNews: number };
  news: { edges: { node: News }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
};
const inboxOf = async (client: PortalClient, variables: object = {}): Promise<Inbox> => {
  const { data, errors } = await client.graphql<Inbox>(print(inboxQuery), { unread: false, first: 50, ...variables });
  if (!data) throw new Error(JSON.stringify(errors));
  return data;
};
const newsOf = async (client: PortalClient): Promise<News[]> => (await inboxOf(client)).news.edges.map(({ node }) => node);
/** What counts as unread, and what is listed then. The page is so small that a whole page of it can be settled. */
const unreadOf = async (client: PortalClient) => {
  const { viewer, news } = await inboxOf(client, { unread: true, first: 2 });
  return [viewer.unreadNews, news.edges.map(({ node }) => node.title)];
};
const told = (news: readonly News[]) => news.map(({ title, settled, action }) => [title, settled, action !== null]).toSorted();
const write = (sql: string, values: readonly unknown[] = []) => application.rows(sql, [...values]);

beforeAll(async () => {
  application = await openWorld({ portal: true, clock: new TestClock().stop() });
  states = await populateStates(application, ['attention', 'failing']);
  ({ owner } = states);
  staff = await reviewer(application);
  for (const client of [owner, staff]) await client.confirmFreshly();
  const now = application.clock.now();
  const em = () => application.orm.em.fork();
  await warnOfExpiringCertificates(em(), { now });
  await warnOfWebhooks(undefined, application.workerContext());
  const [row] = await application.rows<{ id: string }>('select id from integration where slug = $1', [states.slugs.attention]);
  await warnOfDeletionDeadline(em(), { integrationId: row?.id ?? '', now, warnBefore: new Date(now.getTime() + 2 * day) });
}, 120_000);
afterAll(() => application?.close());

test('news ask for what they tell of as long as it lasts', async () => {
  expect(told(await newsOf(owner))).toEqual([
    ['1 deletion due: Compass Tracker', false, true],
    ['12 production events not delivered: Drifter Tracker', false, true],
    ['2 production events not delivered: Compass Tracker', false, true],
    ['Production webhooks to failing.hooks.example.com are failing: Drifter Tracker', false, true],
    ['The production certificate ends in 9 days: Compass Tracker', false, true],
  ]);
  expect(await unreadOf(owner)).toEqual([5, [expect.any(String), expect.any(String)]]);
});

test('news of a certificate that was renewed, deletions that were acknowledged, an endpoint that recovered and letters that were replayed are past and lead nowhere', async () => {
  const later = new Date(application.clock.now().getTime() + 70 * day);
  await write('update certificate set usable_until = $1 where usable_until < $1', [later]);
  await write('update revocation set acknowledged_at = $1, acknowledged_late = false', [application.clock.now()]);
  await write('update webhook_endpoint set failing_since = null, failures_in_row = 0');
  await write("update webhook_delivery set replayed_at = $1 where state = 'dead'", [application.clock.now()]);
  const news = await newsOf(owner);
  expect(told(news)).toEqual([
    ['1 deletion was due: Compass Tracker', true, false],
    ['12 production events were not delivered: Drifter Tracker', true, false],
    ['2 production events were not delivered: Compass Tracker', true, false],
    ['Production webhooks to failing.hooks.example.com were failing: Drifter Tracker', true, false],
    ['The production certificate was about to end: Compass Tracker', true, false],
  ]);
  for (const { text, read } of news) expect([text, read]).toEqual(['This is settled: nothing is left to do.', true]);
  // Nobody needs to read it, so it is no unread news; what is older and unread is found behind it.
  expect(await unreadOf(owner)).toEqual([0, []]);
  await write("update mail set created_at = created_at - interval '1 day' where kind = 'webhook_failing'");
  await write("update webhook_endpoint set failing_since = $1 where url like '%failing.hooks%'", [application.clock.now()]);
  expect(await unreadOf(owner)).toEqual([1, ['Production webhooks to failing.hooks.example.com are failing: Drifter Tracker']]);
  // Of many settled ones, a request passes over some, and the next page goes on behind them.
  await write(
    `insert into mail (id, kind, subject_id, operator_id, integration_id, details, created_at)
     select left(id, -8) || lpad(n::text, 8, '0'), kind, subject_id || ' copy ' || n, operator_id, integration_id, details, created_at + interval '1 hour' from mail, generate_series(1, 16) n
      where kind = 'deletion_warning'`,
  );
  const page = async (after: string | null) => (await inboxOf(owner, { unread: true, first: 2, after })).news;
  const passed = await page(null);
  expect(passed).toMatchObject({ edges: [], pageInfo: { hasNextPage: true } });
  expect((await page(passed.pageInfo.endCursor)).edges).toHaveLength(1);
  await write("delete from mail where subject_id like '%copy%'");
  await write('update webhook_endpoint set failing_since = null');
});

test('what a review asked of either side, a suspension, a quota and new terms are past once they are over', async () => {
  const { id, ...integration } = await owner.createIntegration({ publicName: 'Galley Tracker' });
  const { id: submissionId } = await submit(application, owner, { id, ...integration });
  await application.work();
  await staff.must('takeSubmission', { input: { submissionId } });
  await staff.must('askQuestion', { input: { submissionId, body: 'Where is the credit?' } });
  const of = async (client: PortalClient) => told((await newsOf(client)).filter(({ title }) => title.endsWith(': Galley Tracker')));
  expect(await of(owner)).toEqual([['The reviewers have a question: Galley Tracker', false, true]]);
  expect(await of(staff)).toEqual([['New submission: Galley Tracker', true, false]]);
  await owner.must('answerQuestion', { input: { submissionId, body: 'Below the chart.' } });
  await application.work();
  expect(await of(owner)).toEqual([['The reviewers had a question: Galley Tracker', true, false]]);
  expect(await of(staff)).toEqual([
    ['New submission: Galley Tracker', false, true],
    ['Question answered: Galley Tracker', false, true],
  ]);
  await approve(application, staff, { id: submissionId });
  expect(await of(owner)).toContainEqual(['Approved: Galley Tracker', false, true]);
  expect((await of(staff)).every(([, settled]) => settled)).toBe(true);
  const { operatorId } = await actorOf(owner);
  const now = application.clock.now();
  await application.orm.em.fork().transactional(async (tx) => {
    const about = { subjectId: 'x', operatorId, integrationId: id, now };
    await notify(tx, { ...about, kind: 'integration_suspended', details: { reason: 'The credit is missing.' } });
    const resetsAt = new Date(now.getTime() - 1).toISOString();
    await notify(tx, {
      ...about,
      kind: 'quota_reached',
      details: { environment: 'sandbox', quota: 'requests_per_hour', percent: 80, limit: 600, resetsAt },
    });
  });
  await write("update integration set status = 'active' where id = $1", [id]);
  expect(await of(owner)).toEqual([
    ['80% of a quota was used: Galley Tracker', true, false],
    ['Approved: Galley Tracker', true, false],
    ['The reviewers had a question: Galley Tracker', true, false],
    ['Was suspended: Galley Tracker', true, false],
  ]);
});

test('what is about a submission names the integration as it was submitted, whatever it is called later', async () => {
  const { id } = await owner.createIntegration({ publicName: 'Before' });
  const { id: submissionId } = await submit(application, owner, { id });
  await owner.must('withdrawSubmission', { input: { submissionId } });
  await nextProfile(application, id, { public_name: 'After' });
  expect((await newsOf(staff)).map(({ title }) => title)).toContainEqual(expect.stringContaining('Before'));
  const subjects = (await staff.mails()).map(({ subject }) => subject);
  expect(subjects).toContainEqual(expect.stringContaining('Before'));
  expect(subjects.join()).not.toContain('After');
});
