import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { grantRole } from '../../../server/domain/programme/grantRole.ts';
import { deleteAccount } from '../../../server/domain/programme/deleteAccount.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { actorOf, reviewer, submit } from '../../support/world/reviewPath.ts';
import { administrator } from '../../support/clients/toolingClient.ts';

let application: PortalWorld;
let admin: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  admin = await administrator(application);
  await admin.confirmFreshly();
});
afterAll(() => application.close());

const idOf = async (client: PortalClient) => (await actorOf(client)).operatorId;
const rolesOf = async (client: PortalClient) => (await client.viewer()).data?.roles;

test('an administrator cannot give themselves another role, another administrator can', async () => {
  const own = { input: { operatorId: await idOf(admin), role: 'reviewer' } };
  const refused = await admin.call('grantRole', own);
  expect(codesOf(refused)).toEqual(['FORBIDDEN']);
  expect(refused.errors[0]?.message).toBe('You cannot grant yourself a role. Ask another administrator.');
  expect(await rolesOf(admin)).toEqual(['administrator']);
  expect(codesOf(await admin.call('grantRole', { input: { operatorId: await idOf(admin), role: 'administrator' } }))).toEqual([]);

  const second = await administrator(application);
  await second.confirmFreshly();
  await second.must('grantRole', own);
  expect(await rolesOf(admin)).toEqual(['reviewer', 'administrator']);
  await admin.must('withdrawRole', own);
  expect(await rolesOf(admin)).toEqual(['administrator']);
});

test('an administrator who gives up the role in a document no longer has it in the rest of the document', async () => {
  const former = await administrator(application);
  await former.confirmFreshly();
  const withdrawal = `withdrawRole(input: { operatorId: "${await idOf(former)}", role: administrator }) { id }`;
  const token = 'createServiceToken(input: { name: "Mine", environment: sandbox, permissions: ["catalogue.read"] }) { token }';
  const answer = await former.graphql(`mutation { ${withdrawal} ${token} }`);
  expect(answer.errors).toMatchObject([{ path: ['createServiceToken'], extensions: { code: 'FORBIDDEN' } }]);
  expect(await rolesOf(former)).toEqual([]);
  expect(await application.rows('select 1 from service_token')).toEqual([]);
});

test('an administrator who lost the role while a request was on its way can no longer grant one', async () => {
  const [former, accomplice] = [await administrator(application), await application.operator()];
  const actor = await actorOf(former);
  await admin.must('withdrawRole', { input: { operatorId: actor.operatorId, role: 'administrator' } });
  const late = grantRole(application.orm.em.fork(), {
    actor,
    operatorId: await idOf(accomplice),
    role: 'administrator',
    now: application.clock.now(),
  });
  await expect(late).rejects.toMatchObject({ code: 'forbidden' });
  expect(await rolesOf(accomplice)).toEqual([]);
});

test('an account that became the last administrator after its deletion was asked for stays', async () => {
  await application.rows(`update operator set roles = '{}' where roles @> '{administrator}'`);
  const last = await application.operator();
  await last.confirmFreshly();
  const before = await actorOf(last);
  await application.rows(`update operator set roles = '{administrator}' where id = $1`, [before.operatorId]);
  const [session] = await application.rows<{ id: string }>('select id from portal_session where operator_id = $1 and ended_at is null', [
    before.operatorId,
  ]);
  const deletion = deleteAccount(application.orm.em.fork(), {
    actor: before,
    sessionId: session?.id ?? '',
    now: application.clock.now(),
  });
  await expect(deletion).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('the last administrator') });
  expect(await rolesOf(last)).toEqual(['administrator']);
});

test('what a reviewer had taken is left to the others when the role is withdrawn', async () => {
  const [former, colleague, owner] = [await reviewer(application), await reviewer(application), await application.operator()];
  const other = await administrator(application);
  await other.confirmFreshly();
  const { id: submissionId } = await submit(application, owner, await owner.createIntegration());
  await former.must('takeSubmission', { input: { submissionId } });
  expect(codesOf(await colleague.call('takeSubmission', { input: { submissionId } }))).toEqual(['CONFLICT']);
  await other.must('withdrawRole', { input: { operatorId: await idOf(former), role: 'reviewer' } });
  expect(codesOf(await colleague.call('takeSubmission', { input: { submissionId } }))).toEqual([]);
  const trail = "select details from audit_entry where action = 'submission.released' and subject_id = $1";
  expect(await application.rows(trail, [submissionId])).toEqual([{ details: { because: 'role withdrawn' } }]);
});
