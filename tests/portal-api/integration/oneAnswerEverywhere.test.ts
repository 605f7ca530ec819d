import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { print, type DocumentNode } from 'graphql';
import { homeQuery } from '../../../portal-web/src/pages/integration/home/homeQuery.ts';
import { frameQuery } from '../../../portal-web/src/graphql/frameQuery.ts';
import { inboxQuery } from '../../../portal-web/src/pages/account/inbox/inboxQueries.ts';
import { overviewQuery } from '../../../portal-web/src/pages/integration/overview/overviewQuery.ts';
import { warnOfExpiringCertificates } from '../../../server/domain/certificate/warnOfExpiringCertificates.ts';
import { integrationStatuses, isOver, isStopped, statusesThat } from '../../../server/domain/integration/integrationStatus.ts';
import type { Role } from '../../../server/domain/shared/actor.ts';
import { warnOfDeletionDeadline } from '../../../server/domain/sharing/deletion/warnOfDeletionDeadline.ts';
import { warnOfWebhooks } from '../../../workers/tasks/warnOfWebhooks.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { pageStates, populateStates } from '../../support/portals/pageStates.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { actorOf, approve, reject, reviewer, submit } from '../../support/world/reviewPath.ts';
import { TestClock } from '../../support/world/TestClock.ts';

const day = 24 * 60 * 60 * 1000;

/** The states of the pages, and those that a review or an administrator brings an integration into. */
const states = [...pageStates, 'question', 'rejected', 'approved', 'suspendedByDecision'] as const;
type State = (typeof states)[number];

/** What the owner has been mailed about each state while it lasts, without the integration's name. */
const mails: Readonly<Record<State, readonly string[]>> = {
  new: [],
  healthy: [],
  attention: ['1 deletion due', '2 production events not delivered', 'The production certificate ends in 9 days'],
  failing: ['12 production events not delivered', 'Production webhooks to failing.hooks.example.com are failing'],
  suspended: [],
  retired: [],
  question: ['The reviewers have a question'],
  rejected: ['Changes needed'],
  approved: ['Approved'],
  suspendedByDecision: ['Suspended'],
};

/** What a review asks for is a matter of no environment, and of a retired integration nothing matters but that it is retired: health names neither. */
const unnamed: ReadonlySet<State> = new Set(['question', 'rejected', 'approved', 'retired']);

const roles: readonly (readonly Role[])[] = [[], ['reviewer'], ['administrator'], ['administrator', 'reviewer']];

type Act = { page: string; label: string };
type Need = {
  title: string;
  detail: string | null;
  text: string;
  deadline: string | null;
  since: string | null;
  act: Act;
  integration: { slug: string } | null;
};
type Health = { level: string; word: string; sentence: string; needs: number };
type Row = { slug: string; sandbox: Health; production: Health; nextStep: { title: string; act: Act | null } | null };
type Overview = { sandbox: Health; production: Health; attention: Need[]; nextStep: (Omit<Need, 'act'> & { act: Act | null }) | null };
type Home = { viewer: { attention: Need[] }; integrations: { edges: { node: Row }[] } };
type Inbox = { viewer: { attention: Need[] }; news: { edges: { node: { title: string; action: { label: string } | null } }[] } };

let application: PortalWorld;
let owner: PortalClient;
let staff: PortalClient;
let admin: PortalClient;
let slugs: Readonly<Record<State, string>>;

/** Sends the page's own document, and answers what the page would read. */
async function read<Data>(client: PortalClient, document: DocumentNode, variables: Record<string, unknown> = {}): Promise<Data> {
  const { data, errors } = await client.graphql<Data>(print(document), variables);
  if (!data) throw new Error(JSON.stringify(errors));
  return data;
}

/** What is mailed about a need. It also says what its receiver answered last, by now; and of an endpoint that fails with what it has not received there are two mails. */
function asMailed({ title, detail, act: { label, page } }: Need): { title: string; label: string }[] {
  const short = title.replace(
    /: (\d+ × status \d+, )*(\d+ × )?status \d+(, still retried|; not retried|; others still retried \(status \d+\))?$/,
    '',
  );
  if (page !== 'webhookEndpoint' || !short.endsWith(' not delivered')) return [{ title: short, label }];
  return [
    { title: short, label: 'View the deliveries' },
    { title: `Production webhooks to ${detail?.split(':')[0]} are failing`, label },
  ];
}

const inboxOf = (client: PortalClient) => read<Inbox>(client, inboxQuery, { unread: false, first: 50 });
const about = (slug: string, { viewer }: Pick<Inbox, 'viewer'>) => viewer.attention.filter(({ integration }) => integration?.slug === slug);
const overviewOf = async (client: PortalClient, slug: string) =>
  (await read<{ integration: Overview }>(client, overviewQuery, { slug })).integration;
const named = async (slug: string): Promise<string> => {
  const [found] = await application.rows<{ name: string }>(
    'select v.public_name as name from integration i join profile_version v on v.integration_id = i.id and v.version = i.profile_version where i.slug = $1',
    [slug],
  );
  return found?.name ?? '';
};
const idOf = async (slug: string): Promise<string> =>
  (await application.rows<{ id: string }>('select id from integration where slug = $1', [slug]))[0]?.id ?? '';

beforeAll(async () => {
  application = await openWorld({ portal: true, clock: new TestClock().stop() });
  const populated = await populateStates(application);
  ({ owner } = populated);
  [staff, admin] = [await reviewer(application), await administrator(application)];
  for (const client of [owner, staff, admin]) await client.confirmFreshly();
  const [asked, rejected, approved, suspended] = [
    await owner.createIntegration({ publicName: 'Galley Tracker' }),
    await owner.createIntegration({ publicName: 'Harbour Tracker' }),
    await owner.createIntegration({ publicName: 'Inlet Tracker' }),
    await owner.createIntegration({ publicName: 'Jetty Tracker' }),
  ];
  const submissionId = (await submit(application, owner, asked)).id;
  await staff.must('takeSubmission', { input: { submissionId } });
  await staff.must('askQuestion', { input: { submissionId, body: 'Where is the credit?' } });
  await reject(application, staff, await submit(application, owner, rejected));
  await approve(application, staff, await submit(application, owner, approved));
  await application.rows(`update integration set status = 'active', production_gate_open = true where slug = $1`, [suspended.slug]);
  await admin.must('suspendIntegration', { input: { integrationId: suspended.id, reason: 'The credit has been taken off the page.' } });
  slugs = {
    ...populated.slugs,
    question: asked.slug,
    rejected: rejected.slug,
    approved: approved.slug,
    suspendedByDecision: suspended.slug,
  };

  // What the workers write mails about at this moment. Where production has stopped, a certificate of it ends soon as well.
  const now = application.clock.now();
  await application.rows(
    `update certificate c set usable_until = $1 from client k join integration i on i.id = k.integration_id
      where k.number = c.client_number and k.environment = 'production' and i.status = any($2)`,
    [new Date(now.getTime() + 9 * day), statusesThat((status) => isStopped(status, 'production') && !isOver(status))],
  );
  const em = () => application.orm.em.fork();
  await warnOfExpiringCertificates(em(), { now });
  await warnOfWebhooks(undefined, application.workerContext());
  await warnOfDeletionDeadline(em(), { integrationId: await idOf(slugs.attention), now, warnBefore: new Date(now.getTime() + 2 * day) });
}, 120_000);
afterAll(() => application?.close());

test('every status of an integration is among the states', async () => {
  const found = await application.rows<{ status: string }>('select distinct status from integration');
  expect(integrationStatuses.filter((status) => !found.some((each) => each.status === status))).toEqual([]);
});

describe.each(roles.map((held) => [held.join(' and ') || 'an operator', held] as const))('for an owner who is %s', (_, held) => {
  let inbox: Inbox;
  let home: Home;
  beforeAll(async () => {
    await application.rows('update operator set roles = $2 where id = $1', [(await actorOf(owner)).operatorId, held]);
    inbox = await inboxOf(owner);
    home = await read(owner, homeQuery, { first: 20 });
  });

  test.each(states)('inbox, list, overview and mails say the same of one that is: %s', async (state) => {
    const slug = slugs[state];
    const needs = about(slug, inbox);
    const overview = await overviewOf(owner, slug);
    const [first] = needs;
    expect(overview.attention).toEqual(needs);
    expect(overview.sandbox.needs + overview.production.needs).toBe(needs.length);
    // What needs the owner first is the next step, and without it nothing asks for anything before a deadline.
    if (first) {
      const { title, detail, text, deadline, since, act } = first;
      expect(overview.nextStep).toMatchObject({ title, detail, text, deadline, since, act });
      // Health names the same thing, whichever else it names, in a sentence that begins with the environment and does not repeat it.
      const told = `${overview.sandbox.sentence} ${overview.production.sentence}`.toLowerCase();
      if (!unnamed.has(state)) expect(told).toContain(title.toLowerCase().replace(/(sandbox|production) /, ''));
      for (const { sentence } of [overview.sandbox, overview.production]) expect(sentence).not.toMatch(/: .*(sandbox|production) /);
    } else {
      expect(overview.nextStep?.deadline ?? null).toBeNull();
      for (const { level } of [overview.sandbox, overview.production]) expect(['new', 'healthy', 'retired']).toContain(level);
    }

    expect(about(slug, home)).toEqual(needs);
    const row = home.integrations.edges.find(({ node }) => node.slug === slug)?.node;
    // Those that are retired stand in a list of their own, without a next step.
    expect(row === undefined).toBe(state === 'retired');
    if (row) {
      // When its certificates end is only told there, and the sentence only on the overview.
      const short = ({ level, word, needs: count }: Omit<Health, 'sentence'>) => ({ level, word, needs: count });
      const { sandbox, production, nextStep } = row;
      expect({ sandbox: short(sandbox), production: short(production), step: nextStep?.title, act: nextStep?.act }).toEqual({
        sandbox: short(overview.sandbox),
        production: short(overview.production),
        step: overview.nextStep?.title,
        act: overview.nextStep?.act,
      });
    }

    const name = await named(slug);
    const mailed = inbox.news.edges.map(({ node }) => node).filter(({ title }) => title.endsWith(`: ${name}`));
    expect(mailed.map(({ title }) => title).toSorted()).toEqual(mails[state].map((title) => `${title}: ${name}`));
    for (const { title, action } of mailed) {
      // An approval tells what has happened; what it asks for is the next step of the way to production.
      const said = title === `Approved: ${name}` ? `Go live, step 3 of 5: activate the integration: ${name}` : title;
      expect(needs.flatMap(asMailed).map((need) => [`${need.title}: ${name}`, need.label])).toContainEqual([said, action?.label]);
    }
  });

  test('the number in the header is how many things the inbox lists', async () => {
    const { viewer } = await read<{ viewer: { attentionCount: number } }>(owner, frameQuery);
    expect(viewer.attentionCount).toBe(inbox.viewer.attention.length);
    expect(viewer.attentionCount).toBeGreaterThan(8);
  });
});

test.each(states)(
  'one that is %s needs nobody but its owner, and an administrator who looks as the owner reads the same',
  async (state) => {
    const slug = slugs[state];
    const stranger = await application.operator();
    for (const client of [staff, admin, stranger]) {
      expect(about(slug, await inboxOf(client))).toEqual([]);
      const { data, errors } = await client.graphql<{ integration: Overview }>(print(overviewQuery), { slug });
      expect([data?.integration ?? null, errors?.[0]?.extensions.code]).toEqual([null, 'NOT_FOUND']);
    }
    admin.asOwner = slug;
    try {
      expect(await overviewOf(admin, slug)).toEqual(await overviewOf(owner, slug));
    } finally {
      admin.asOwner = undefined;
    }
  },
);
