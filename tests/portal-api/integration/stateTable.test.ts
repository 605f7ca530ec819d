import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  integrationActions,
  integrationTransitions,
  factsOf,
  integrationStatuses,
  type IntegrationAction,
  type IntegrationStatus,
} from '../../../server/domain/integration/integrationStatus.ts';
import { integrationCommands } from '../../../server/integrationCommands.ts';
import { integrationActFacts } from '../../../server/domain/audit/integrationActFacts.ts';
import { permissions } from '../../../server/domain/access/permissions.ts';
import type { WebhookEventType } from '../../../server/domain/outbox/eventTypes.ts';
import { availableActions } from '../../../server/domain/integration/status/availableActions.ts';
import { reviewItems } from '../../../server/domain/review/reviewChecklist.ts';
import { saveReviewDraft } from '../../../server/domain/review/reviewer/saveReviewDraft.ts';
import { enforceDeletionDeadlines } from '../../../workers/tasks/enforceDeletionDeadlines.ts';
import { Fixtures, type TestClient } from '../../support/world/Fixtures.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { actorOf, addLogo, goodSubmission, reviewer, submit } from '../../support/world/reviewPath.ts';
import { numberOfClient, revokedOrder } from '../../support/world/revocationFixtures.ts';
import { administrator } from '../../support/clients/toolingClient.ts';

const roles = ['owner', 'otherOperator', 'reviewer', 'administrator'] as const;
type Role = (typeof roles)[number];
type Action = Exclude<IntegrationAction, 'suspendForMissedDeletion'>;
type Rule = { readonly from: readonly IntegrationStatus[]; readonly to: IntegrationStatus };

/**
 * The table of docs/specification.md, “Integration status”, written by hand: the statuses from which each role's action starts, and where
 * it leads. A role that is not listed is refused in every status, with the code in `others`.
 */
const table: Record<Action, { readonly by: Partial<Record<Role, Rule>>; readonly others: 'FORBIDDEN' | 'NOT_FOUND' }> = {
  submitForReview: { by: { owner: { from: ['sandbox', 'rejected'], to: 'submitted' } }, others: 'NOT_FOUND' },
  withdrawSubmission: { by: { owner: { from: ['submitted'], to: 'sandbox' } }, others: 'NOT_FOUND' },
  rejectSubmission: { by: { reviewer: { from: ['submitted'], to: 'rejected' } }, others: 'FORBIDDEN' },
  approveSubmission: { by: { reviewer: { from: ['submitted'], to: 'approved' } }, others: 'FORBIDDEN' },
  activateForProduction: { by: { owner: { from: ['approved'], to: 'active' } }, others: 'NOT_FOUND' },
  suspendIntegration: { by: { administrator: { from: ['approved', 'active'], to: 'suspended' } }, others: 'FORBIDDEN' },
  reactivateIntegration: { by: { administrator: { from: ['suspended'], to: 'active' } }, others: 'FORBIDDEN' },
  retireIntegration: {
    by: {
      owner: { from: ['sandbox', 'rejected', 'approved', 'active', 'suspended'], to: 'retired' },
      administrator: { from: ['sandbox', 'submitted', 'rejected', 'approved', 'active', 'suspended'], to: 'retired' },
    },
    others: 'NOT_FOUND',
  },
};

/**
 * What a move writes besides the status: one entry in the owner's trail, a mail to the owner, unless they have made the move themselves, and
 * the events that tell their back end. A refusal writes nothing.
 */
const effects: Record<Action, { readonly trail: string; readonly mails: readonly string[]; readonly events: readonly WebhookEventType[] }> =
  {
    submitForReview: { trail: 'integration.submitted', mails: [], events: [] },
    withdrawSubmission: { trail: 'integration.submission_withdrawn', mails: [], events: [] },
    rejectSubmission: { trail: 'integration.rejected', mails: ['submission_rejected'], events: [] },
    approveSubmission: { trail: 'integration.approved', mails: ['submission_approved'], events: [] },
    activateForProduction: { trail: 'integration.activated', mails: [], events: [] },
    suspendIntegration: { trail: 'integration.suspended', mails: ['integration_suspended'], events: ['integration.suspended'] },
    reactivateIntegration: { trail: 'integration.reactivated', mails: ['integration_reactivated'], events: [] },
    retireIntegration: { trail: 'integration.retired', mails: ['integration_retired'], events: [] },
  };

let application: PortalWorld;
let fixtures: Fixtures;
const browsers = {} as Record<Role, PortalClient>;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  fixtures = new Fixtures(application.databaseUrl);
  browsers.owner = await application.operator();
  browsers.otherOperator = await application.operator();
  browsers.reviewer = await reviewer(application);
  browsers.administrator = await administrator(application);
  for (const role of roles) await browsers[role].confirmFreshly();
  await browsers.otherOperator.acceptTerms();
});
afterAll(async () => {
  await fixtures.end();
  await application.close();
});

const statusOf = async (integrationId: string) =>
  (await application.rows<{ status: string }>('select status from integration where id = $1', [integrationId]))[0]?.status;

/** Everything on record about an integration that a move can add to; the trail is its owner's, without the endpoint, which ends with it. */
async function recordOf(integrationId: string): Promise<{ trail: string[]; mails: string[]; events: string[]; rest: unknown }> {
  const trail = await application.rows<{ action: string }>(
    `select a.action from audit_entry a join integration i on i.id = a.integration_id and i.operator_id = a.operator_id where i.id = $1 and a.action <> 'webhook_endpoint.removed' order by a.id`,
    [integrationId],
  );
  const mails = await application.rows<{ kind: string }>(
    'select m.kind from mail m join integration i on i.id = m.integration_id and i.operator_id = m.operator_id where i.id = $1 order by m.created_at, m.id',
    [integrationId],
  );
  const events = await application.rows<{ type: string }>(
    'select e.type from webhook_event e join client k on k.number = e.client_number where k.integration_id = $1 order by e.id',
    [integrationId],
  );
  const rest = await application.rows(
    `select i.status_reason, i.status_changed_at, i.reviewed_profile_version, i.production_gate_open,
            (select array_agg(s.status order by s.round) from review_submission s where s.integration_id = i.id) as submissions,
            (select array_agg(k.environment order by k.number) from client k where k.integration_id = i.id) as clients from integration i where i.id = $1`,
    [integrationId],
  );
  return { trail: trail.map(({ action }) => action), mails: mails.map(({ kind }) => kind), events: events.map(({ type }) => type), rest };
}

/**
 * The owner's integration, made by real commands so that only its status can prevent the action, and then put into that status. For a
 * decision, there is an open submission with every item met, whatever the status.
 */
async function prepared(action: Action, status: IntegrationStatus): Promise<{ id: string; slug: string; input: Record<string, unknown> }> {
  // There are more cases than integrations that one account may create in a day.
  await application.rows('delete from attempt_window');
  const { id, slug } = await browsers.owner.createIntegration();
  await fixtures.webhookEndpoint({ number: await numberOfClient(application, slug, 'sandbox') });
  let submissionId = '';
  if (action === 'approveSubmission' || action === 'rejectSubmission' || action === 'withdrawSubmission') {
    submissionId = (await submit(application, browsers.owner, { id })).id;
    const actor = await actorOf(browsers.reviewer);
    for (const item of reviewItems) {
      const draft = { actor, submissionId, part: item, met: true, note: '', version: null, now: application.clock.now() };
      await saveReviewDraft(application.orm.em.fork(), draft);
    }
  } else {
    await addLogo(application, id);
  }
  const reviewed = factsOf(status, 'production').certificates !== 'notBeforeApproval';
  await application.rows('update integration set status = $2, reviewed_profile_version = $3 where id = $1', [
    id,
    status,
    reviewed ? 1 : null,
  ]);
  const inputs: Record<Action, Record<string, unknown>> = {
    submitForReview: goodSubmission(id),
    approveSubmission: { submissionId },
    withdrawSubmission: { submissionId, reason: 'Not ready yet' },
    rejectSubmission: { submissionId, notes: 'The credit is missing on the chart.' },
    activateForProduction: { integrationId: id, profileVersion: 1 },
    suspendIntegration: { integrationId: id, reason: 'Two complaints' },
    reactivateIntegration: { integrationId: id, reason: 'Settled' },
    retireIntegration: { integrationId: id, reason: 'No longer wanted' },
  };
  return { id, slug, input: inputs[action] };
}

describe.each(Object.keys(table) as Action[])('%s', (action) => {
  test.each(integrationStatuses)(
    'on an integration that is %s moves as the table says, with its line in the trail and its mail, or is refused and leaves nothing',
    async (status) => {
      const { by, others } = table[action];
      let made = await prepared(action, status);
      // Roles that the table refuses come first and share an integration; each role that moves one has its own.
      for (const role of roles.toSorted((one, other) => Number(one in by) - Number(other in by))) {
        const rule = by[role];
        const moves = rule?.from.includes(status) ?? false;
        const before = await recordOf(made.id);
        const { errors } = await browsers[role].call(action, { input: made.input });
        expect([role, codesOf({ errors })]).toEqual([role, moves ? [] : [rule ? 'CONFLICT' : others]]);
        expect([role, await statusOf(made.id)]).toEqual([role, moves ? rule?.to : status]);
        const after = await recordOf(made.id);
        if (moves) {
          const { trail, mails, events } = effects[action];
          const sent = role === 'owner' ? [] : mails;
          expect([role, after.trail, after.mails]).toEqual([role, [...before.trail, trail], [...before.mails, ...sent]]);
          expect([role, after.events]).toEqual([role, [...before.events, ...events]]);
          expect(after.rest).toMatchObject([{ production_gate_open: false }]);
        } else expect([role, after]).toEqual([role, before]);
        if (moves) made = await prepared(action, status);
      }
    },
  );
});

test.each(integrationStatuses)(
  'to each role the portal offers exactly its actions of the table while an integration is %s',
  async (status) => {
    const { id, slug } = await prepared('submitForReview', status);
    const { operatorId } = await actorOf(browsers.owner);
    for (const role of roles) {
      const expected = (Object.keys(table) as Action[]).filter((action) => table[action].by[role]?.from.includes(status));
      const offered = availableActions({ status, operatorId }, await actorOf(browsers[role]));
      expect([role, offered.toSorted()]).toEqual([role, expected.toSorted()]);
      if (role !== 'owner') continue;
      const answer = await browsers.owner.graphql<{ integration: { availableActions: string[] } }>(
        'query ($slug: String!) { integration(slug: $slug) { availableActions } }',
        { slug },
      );
      expect(answer.data?.integration.availableActions.toSorted()).toEqual(expected.toSorted());
    }
    expect(await statusOf(id)).toBe(status);
  },
);

test.each(integrationStatuses)(
  'a missed deletion suspends an integration that is %s only if it is active; no role can call it',
  async (status) => {
    const { id, slug } = await prepared('suspendIntegration', status);
    const revokedAt = new Date(application.clock.now().getTime() - 8 * 24 * 60 * 60 * 1000);
    await revokedOrder(application, { clientNumber: await numberOfClient(application, slug, 'production'), revokedAt });
    await enforceDeletionDeadlines(undefined, application.workerContext());
    expect(await statusOf(id)).toBe(status === 'active' ? 'suspended' : status);
    const answer = await browsers.administrator.graphql('mutation { suspendForMissedDeletion }');
    expect(answer.errors[0]?.message).toContain('Cannot query field "suspendForMissedDeletion"');
  },
);

test('the table of the code knows the same actions, and those of the service itself', () => {
  expect([...integrationActions].sort()).toEqual([...Object.keys(table), 'suspendForMissedDeletion'].sort());
});

const callsIn = (status: IntegrationStatus) => factsOf(status, 'production').calls;
/** Whatever changes which calls of production are answered. */
const changing = (Object.keys(table) as Action[]).filter((action) => {
  const { from, to } = integrationTransitions[action];
  return from.some((one) => [to].flat().some((other) => callsIn(one) !== callsIn(other)));
});

test('whatever changes which calls are answered needs a passkey that was used just now', () => {
  const rules: Readonly<Record<Action, object>> = permissions;
  expect(changing.length).toBeGreaterThan(3);
  expect(changing.filter((action) => !('freshPasskey' in rules[action]))).toEqual([]);
});

test('whatever changes which calls are answered is a decision about access where administrators read of it', () => {
  const decisions: Readonly<Record<string, { decision: unknown }>> = integrationActFacts;
  expect(changing.filter((action) => !decisions[effects[action].trail]?.decision)).toEqual([]);
});

test('what only administrators may decide about a status has a command of the terminal', () => {
  const theirs = integrationActions.filter((action) => integrationTransitions[action].by.every((role) => role === 'administrator'));
  expect(theirs.length).toBeGreaterThan(0);
  const commandOf = (action: string) => action.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  expect(theirs.map(commandOf).filter((command) => !(command in integrationCommands))).toEqual([]);
});

test('a reviewer who owns the integration cannot decide about it', async () => {
  const own = await reviewer(application);
  await own.confirmFreshly();
  const integration = await own.createIntegration();
  const { id: submissionId } = await submit(application, own, integration);
  expect(codesOf(await own.call('rejectSubmission', { input: { submissionId, notes: 'Mine' } }))).toEqual(['FORBIDDEN']);
  expect(await statusOf(integration.id)).toBe('submitted');
});

describe('a suspension by an administrator', () => {
  const active = () => fixtures.listeningClient({ environment: 'production', status: 'active' });
  const decision = ({ integrationId }: TestClient, reason = 'Two complaints of users') => ({ input: { integrationId, reason } });
  const eventsOf = ({ number }: TestClient) =>
    application.rows<{ type: string }>('select type from webhook_event where client_number = $1', [number]);
  const mailsOf = ({ operatorId }: TestClient) =>
    application.rows<{ kind: string }>('select kind from mail where operator_id = $1 order by created_at', [operatorId]);

  test('has its event, one mail, and stands in the owner’s audit trail with its reason', async () => {
    const client = await active();
    const suspended = await browsers.administrator.must('suspendIntegration', decision(client));
    expect(suspended).toMatchObject({ id: client.integrationId, status: 'suspended' });
    expect(await eventsOf(client)).toEqual([{ type: 'integration.suspended' }]);
    await browsers.administrator.must('reactivateIntegration', decision(client, 'Settled'));
    expect(await eventsOf(client)).toHaveLength(1);
    expect(await mailsOf(client)).toEqual([{ kind: 'integration_suspended' }, { kind: 'integration_reactivated' }]);
    const trail = await application.rows('select action, operator_id, details from audit_entry where integration_id = $1 order by id', [
      client.integrationId,
    ]);
    expect(trail).toEqual([
      { action: 'integration.suspended', operator_id: client.operatorId, details: { reason: 'Two complaints of users' } },
      { action: 'integration.reactivated', operator_id: client.operatorId, details: { reason: 'Settled' } },
    ]);
    const [row] = await application.rows('select status_reason from integration where id = $1', [client.integrationId]);
    expect(row).toEqual({ status_reason: 'Settled' });
  });

  test('is told to the sandbox’s endpoints as well, because it holds their deliveries too', async () => {
    const client = await fixtures.listeningClient({ environment: 'sandbox', status: 'active' });
    await browsers.administrator.must('suspendIntegration', decision(client));
    expect(await eventsOf(client)).toEqual([{ type: 'integration.suspended' }]);
  });

  test.each(['', '   ', 'x'.repeat(501), 'a\u0000b', 'half a pair: \ud800', 'turned \u202e round'])(
    'without good reason is refused by its field, and changes nothing',
    async (reason) => {
      const client = await active();
      const answer = await browsers.administrator.call('suspendIntegration', decision(client, reason));
      expect([codesOf(answer), Object.keys(fieldsOf(answer))]).toEqual([['BAD_USER_INPUT'], ['input.reason']]);
      expect([await statusOf(client.integrationId), await eventsOf(client), await mailsOf(client)]).toEqual(['active', [], []]);
    },
  );

  test('happens once when two administrators decide at the same moment', async () => {
    const client = await active();
    const answers = await Promise.all([1, 2].map(() => browsers.administrator.call('suspendIntegration', decision(client))));
    expect(answers.flatMap(codesOf)).toEqual(['CONFLICT']);
    expect([await eventsOf(client), await mailsOf(client)]).toEqual([
      [{ type: 'integration.suspended' }],
      [{ kind: 'integration_suspended' }],
    ]);
  });
});

/** Whatever has calls of production answered. */
const opening = changing.filter((action) => [integrationTransitions[action].to].flat().some((to) => callsIn(to) === 'yes'));

// The last test, since no integration can be created any more without the terms that it publishes.
test('whatever has calls of production answered waits until the owner has accepted the current terms', async () => {
  expect(opening.length).toBeGreaterThan(1);
  const made = [];
  for (const action of opening)
    for (const role of roles) {
      const rule = table[action].by[role];
      for (const status of rule?.from ?? []) made.push({ action, role, status, to: rule?.to, ...(await prepared(action, status)) });
    }
  await application.rows(
    `insert into terms_version (version, title, markdown, published_at) values (2, 'Integration Terms', 'New words.', now())`,
  );
  for (const { action, role, status, id, input } of made) {
    expect([action, codesOf(await browsers[role].call(action, { input }))]).toEqual([action, ['CONFLICT']]);
    expect([action, await statusOf(id)]).toEqual([action, status]);
  }
  await browsers.owner.acceptTerms(2);
  for (const { action, role, to, id, input } of made) {
    expect([action, codesOf(await browsers[role].call(action, { input }))]).toEqual([action, []]);
    expect([action, await statusOf(id)]).toEqual([action, to]);
  }
});
