import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminCommand } from '../../../server/adminCommands.ts';
import { redeem, signInWith } from '../../support/clients/accountClient.ts';
import { backEndOf } from '../../support/world/backEndOf.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { terminalConfig } from '../../support/world/testKeys.ts';
import { codesOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { actorOf, reviewer, submit } from '../../support/world/reviewPath.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';

let application: PortalWorld & MachineWorld;
let admin: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: { env: { SUPPORT_CONTACT: 'help@svc.example' } }, machine: true });
  admin = await administrator(application);
  await admin.confirmFreshly();
});
afterAll(() => application.close());

const idOf = async (client: PortalClient) => (await actorOf(client)).operatorId;
const lockInput = (operatorId: string, reason = 'The device was stolen.') => ({ input: { operatorId, reason } });

test('a locked account has no session, takes neither passkey nor recovery code, and says whom to contact', async () => {
  const owner = await application.operator();
  const operatorId = await idOf(owner);
  expect(await admin.must('lockAccount', lockInput(operatorId))).toMatchObject({
    lockedAt: expect.any(String),
    lockReason: 'The device was stolen.',
  });
  expect((await owner.viewer()).data).toBeNull();
  for (const answer of [
    await signInWith(application.browser(), owner.passkey),
    await redeem(application.browser(), owner.recoveryCodes[0]),
  ]) {
    expect(codesOf(answer)).toEqual(['FORBIDDEN']);
    expect(answer.errors[0]?.message).toContain('contact help@svc.example');
  }
  const [mail] = await owner.mails();
  expect(mail).toMatchObject({ subject: 'Your account is locked', text: expect.stringContaining('The device was stolen.') });
  expect(mail?.text).toContain('contact help@svc.example');

  await admin.must('unlockAccount', lockInput(operatorId, 'The owner has it back.'));
  expect((await signInWith(application.browser(), owner.passkey)).data).toMatchObject({ kind: 'full' });
  expect((await owner.mails())[0]).toMatchObject({ subject: 'Your account is unlocked' });
  expect((await redeem(application.browser(), owner.recoveryCodes[0])).data).toMatchObject({ kind: 'recovery' });
  const trail =
    "select action, details->>'reason' as reason from audit_entry where operator_id = $1 and action like 'operator.%locked' order by id";
  expect(await application.rows(trail, [operatorId])).toEqual([
    { action: 'operator.locked', reason: 'The device was stolen.' },
    { action: 'operator.unlocked', reason: 'The owner has it back.' },
  ]);
});

test('a caller that does not prove to be the owner learns nothing of the lock', async () => {
  const owner = await application.operator();
  await admin.must('lockAccount', lockInput(await idOf(owner)));
  const visitor = application.browser();
  const options = await visitor.must<Parameters<typeof owner.passkey.get>[0]>('beginSignIn');
  const response = owner.passkey.get(options, owner.origin, { forgedSignature: true });
  expect(codesOf(await visitor.call('finishSignIn', { input: { response } }))).toEqual(['UNAUTHENTICATED']);
});

test('nobody locks their own account, and a locked administrator locks nobody', async () => {
  expect(codesOf(await admin.call('lockAccount', lockInput(await idOf(admin))))).toEqual(['FORBIDDEN']);
  const other = await administrator(application);
  await other.confirmFreshly();
  await admin.must('lockAccount', lockInput(await idOf(other)));
  expect(codesOf(await other.call('lockAccount', lockInput(await idOf(admin))))).toEqual(['UNAUTHENTICATED']);
});

test('the terminal locks and unlocks by address', async () => {
  const owner = await application.operator();
  const run = (...args: string[]) => adminCommand(args)(application.orm.em.fork(), application.clock.now(), terminalConfig());
  expect((await run('lock-account', owner.email, 'Asked by phone.')).words).toBe('The account is now locked.');
  expect((await owner.viewer()).data).toBeNull();
  expect((await run('unlock-account', owner.email, 'Found again.')).words).toBe('The account is now unlocked.');
  expect((await signInWith(application.browser(), owner.passkey)).data).not.toBeNull();
});

test('what a locked reviewer had taken is left to the others, and they get no more mail as a reviewer', async () => {
  const [locked, colleague, owner] = [await reviewer(application), await reviewer(application), await application.operator()];
  const operatorId = await idOf(locked);
  const { id: submissionId } = await submit(application, owner, await owner.createIntegration());
  await locked.must('takeSubmission', { input: { submissionId } });
  const subjectsBefore = (await locked.mails()).map(({ subject }) => subject);
  await admin.must('lockAccount', lockInput(operatorId));
  expect(await colleague.must('takeSubmission', { input: { submissionId } })).toMatchObject({ id: submissionId });
  const trail = "select actor_id, operator_id, details from audit_entry where action = 'submission.released' and subject_id = $1";
  expect(await application.rows(trail, [submissionId])).toEqual([
    { actor_id: await idOf(admin), operator_id: operatorId, details: { because: 'account locked' } },
  ]);

  await submit(application, owner, await owner.createIntegration());
  const told = (await locked.mails()).map(({ subject }) => subject);
  expect(told).toEqual(['Your account is locked', ...subjectsBefore]);
});

test('the machine traffic of a locked operator’s integrations goes on, and its certificate with it', async () => {
  const { operator: owner, slug } = await SandboxClient.open(application, ['orders.read', 'revocations.ack']);
  const machine = await backEndOf(application, owner, slug, 'sandbox');
  const first = await machine.call('/v1/sync?limit=1');
  expect(first.status).toBe(200);
  await admin.must('lockAccount', lockInput(await idOf(owner)));
  expect((await owner.viewer()).data).toBeNull();

  expect((await machine.call('/v1/capabilities')).body).toMatchObject({ integration_status: 'sandbox' });
  const { next_cursor: cursor } = first.body as { next_cursor: string };
  expect((await machine.call(`/v1/sync?limit=500&updated_since=${encodeURIComponent(cursor)}`)).status).toBe(200);
  const [fixture] = await application.rows<{ id: string }>(
    `select r.id from revocation r join client c on c.number = r.client_number join integration i on i.id = c.integration_id
      where i.slug = $1 and r.acknowledged_at is null limit 1`,
    [slug],
  );
  const acknowledged = await machine.call(`/v1/revocations/${fixture?.id}/ack`, {
    method: 'POST',
    headers: { 'idempotency-key': 'once' },
    body: { deletion_completed: true },
  });
  expect([acknowledged.status, acknowledged.body]).toEqual([200, expect.objectContaining({ status: 'acknowledged' })]);
});
