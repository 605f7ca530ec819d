import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { codesOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { newerTerms } from '../../support/world/profileFixtures.ts';
import { actorOf, approvedIntegration } from '../../support/world/reviewPath.ts';

let application: PortalWorld;
let owner: PortalClient;
let admin: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [owner, admin] = [await application.operator(), await administrator(application)];
  await Promise.all([owner.confirmFreshly(), admin.confirmFreshly()]);
});
afterAll(() => application.close());

const idOf = async (client: PortalClient) => (await actorOf(client)).operatorId;
const mails = async (client: PortalClient, kind: string) =>
  application.rows<{ details: Record<string, unknown>; integration_id: string | null }>(
    'select details, integration_id from mail where operator_id = $1 and kind = $2 order by created_at, id',
    [await idOf(client), kind],
  );

describe('an integration that was suspended before its owner had ever activated it', () => {
  const suspended = async () => {
    const { id } = await approvedIntegration(application, owner);
    await admin.must('suspendIntegration', { input: { integrationId: id, reason: 'A complaint' } });
    return id;
  };

  test('is activated only by an administrator who knows that it is in the owner’s place, and the mail says so', async () => {
    const id = await suspended();
    const input = { integrationId: id, reason: 'Their launch is tonight, and they asked for it' };
    const refused = await admin.call('reactivateIntegration', { input });
    expect(codesOf(refused)).toEqual(['CONFLICT']);
    expect(refused.errors[0]?.message).toContain('before its owner had ever activated it');
    await admin.must('reactivateIntegration', { input: { ...input, inPlaceOfOwner: true } });
    await application.work();
    expect(await mails(owner, 'integration_reactivated')).toMatchObject([{ details: { reason: input.reason, inPlaceOfOwner: 1 } }]);
    const subjects = (await owner.mails()).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringMatching(/^Activated by an administrator: /));
    expect(subjects.filter((subject) => subject.startsWith('Active again'))).toEqual([]);
    const { edges } = await owner.must<{ edges: { node: { title: string } }[] }>('news', { first: 20 });
    expect(edges.map(({ node }) => node.title)).toContainEqual(expect.stringMatching(/^Activated by an administrator: /));
    expect(
      await application.rows("select details from audit_entry where action = 'integration.reactivated' and integration_id = $1", [id]),
    ).toMatchObject([{ details: { inPlaceOfOwner: true, profileVersion: 1 } }]);
    // From then on it is as any other.
    await admin.must('suspendIntegration', { input: { integrationId: id, reason: 'Another complaint' } });
    await admin.must('reactivateIntegration', { input: { integrationId: id, reason: 'Settled' } });
    expect((await mails(owner, 'integration_reactivated')).at(-1)?.details).toEqual({ reason: 'Settled' });
  });
});

test('both gates tell the owners of the integrations that they concern, with the reason, and nobody else', async () => {
  const { id } = await approvedIntegration(application, owner);
  const bystander = await application.operator();
  await bystander.createIntegration();
  const before = (await mails(owner, 'gate_moved')).length;
  await admin.must('openProductionGate', { input: { integrationId: id, reason: 'Pilot' } });
  expect((await mails(owner, 'gate_moved')).slice(before)).toEqual([
    { integration_id: id, details: { gate: 'integration', open: 1, otherOpen: 0, reason: 'Pilot' } },
  ]);
  await admin.must('openProductionGate', { input: { reason: 'Opening day' } });
  await application.work();
  const told = (await mails(owner, 'gate_moved')).filter(
    ({ details, integration_id: about }) => details['gate'] === 'service' && about === id,
  );
  expect(told).toEqual([{ integration_id: id, details: { gate: 'service', open: 1, otherOpen: 1, reason: 'Opening day' } }]);
  expect(await mails(bystander, 'gate_moved')).toEqual([]);
  const { edges } = await owner.must<{ edges: { node: { title: string; text: string } }[] }>('news', { first: 50 });
  expect(edges.map(({ node }) => node.text)).toContainEqual(expect.stringContaining('Both gates are open now'));
});

test('an account that is given or loses a role is told, with the reason', async () => {
  const colleague = await application.operator();
  const input = { operatorId: await idOf(colleague), role: 'reviewer' };
  await admin.must('grantRole', { input: { ...input, reason: 'Knows the checklist' } });
  await admin.must('grantRole', { input });
  await admin.must('withdrawRole', { input });
  expect(await mails(colleague, 'role_granted')).toMatchObject([{ details: { role: 'reviewer', reason: 'Knows the checklist' } }]);
  expect(await mails(colleague, 'role_withdrawn')).toMatchObject([{ details: { role: 'reviewer' } }]);
});

test('the other administrators are told of a suspension, with its reason', async () => {
  const other = await administrator(application);
  const { id } = await approvedIntegration(application, owner);
  const before = await mails(admin, 'suspension_made');
  await admin.must('suspendIntegration', { input: { integrationId: id, reason: 'A complaint' } });
  expect(await mails(other, 'suspension_made')).toEqual([{ integration_id: id, details: { reason: 'A complaint' } }]);
  expect(await mails(admin, 'suspension_made')).toEqual(before);
});

describe('retiring an integration that was only in the sandbox', () => {
  test('leaves nothing due, one line in the trail, and no word of a production that there never was', async () => {
    const { id, slug, clientId } = await owner.createIntegration({ requestedScopes: ['orders.read', 'vehicles.read', 'revocations.ack'] });
    await SandboxClient.buildOf(application, clientId);
    const trail = () =>
      application.rows<{ action: string }>(
        "select action from audit_entry where integration_id = $1 and action <> 'integration.created' order by id",
        [id],
      );
    const before = (await trail()).length;
    await admin.must('retireIntegration', { input: { integrationId: id, reason: 'Broken promises' } });
    await application.work();
    expect((await trail()).slice(before)).toEqual([{ action: 'integration.retired' }]);
    expect(await owner.must('revocations', { slug })).toMatchObject({ outstandingCount: 0, dueCount: 0, edges: [] });
    const left = 'select 1 from shared_resource s join client k on k.number = s.client_number where k.integration_id = $1';
    expect(await application.rows(left, [id])).toEqual([]);
    const answer = await owner.graphql(
      `{ integration(slug: "${slug}") { sandbox: health(environment: sandbox) { level } production: health(environment: production) { level sentence } } }`,
    );
    expect(answer.data).toEqual({
      integration: { sandbox: { level: 'retired' }, production: { level: 'new', sentence: 'Production: never used.' } },
    });
    expect((await mails(owner, 'integration_retired')).at(-1)).toEqual({
      integration_id: id,
      details: { reason: 'Broken promises', deletions: 0 },
    });
  });
});

test('a refusal speaks the words of the page', async () => {
  const { id } = await owner.createIntegration();
  const answer = await owner.call('activateForProduction', { input: { integrationId: id, profileVersion: 1 } });
  expect(answer.errors[0]?.message).toBe('This is possible only while it is approved; now it is in the sandbox only. Reload the page.');
});

test('an integration is not reactivated until its owner has accepted the current terms', async () => {
  const { id } = await approvedIntegration(application, owner);
  await owner.must('activateForProduction', { input: { integrationId: id, profileVersion: 1 } });
  await admin.must('suspendIntegration', { input: { integrationId: id, reason: 'A complaint' } });
  await newerTerms(application, application.clock.now());
  const input = { integrationId: id, reason: 'Settled' };
  const refused = await admin.call('reactivateIntegration', { input });
  expect(refused.errors[0]?.message).toContain('Its owner has not accepted version 2 of the Integration Terms');
  await owner.acceptTerms(2);
  await admin.must('reactivateIntegration', { input });
});
