import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { announceResets } from '../../../server/domain/account/accountReset.ts';
import { accountOf, enrolAgain, redeem, signInWith } from '../../support/clients/accountClient.ts';
import { codesOf, type PortalClient, type Viewer } from '../../support/clients/portalClient.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { waitForLock } from '../../support/database/waitForLock.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

const hour = 60 * 60 * 1000;
type Reset = { id: string; dueAt: string | null } | null;

let application: PortalWorld;
let first: PortalClient;
let second: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [first, second] = [await administrator(application), await administrator(application)];
});
afterAll(() => application.close());

async function act<Result>(admin: PortalClient, operation: Parameters<PortalClient['call']>[0], input: Record<string, unknown>) {
  // Their sessions end between the steps, which are days apart.
  admin.cookie = undefined;
  await admin.signIn();
  await admin.confirmFreshly();
  return admin.call<Result>(operation, { input });
}
const request = (admin: PortalClient, operatorId: string) =>
  act<{ reset: Reset }>(admin, 'requestAccountReset', { operatorId, reason: 'Phone lost', proof: 'Called back the number on record' });
const approve = (admin: PortalClient, resetId: string | undefined) => act<{ reset: Reset }>(admin, 'approveAccountReset', { resetId });

async function lost(): Promise<{ owner: PortalClient; operatorId: string }> {
  const owner = await application.operator();
  return { owner, operatorId: (await accountOf(owner)).operatorId };
}
const subjects = async (owner: PortalClient) => (await application.browser().mails(owner.email)).map(({ subject }) => subject);
const mailText = async (owner: PortalClient) => (await application.browser().mails(owner.email))[0]?.text ?? '';
const announce = () => announceResets(application.orm.em.fork(), { now: application.clock.now() });

test('two administrators together give an account back, 72 hours later, through its address', async () => {
  const { owner, operatorId } = await lost();
  const { slug } = await owner.createIntegration();
  const requested = await request(first, operatorId);
  expect(requested.errors).toEqual([]);
  const resetId = requested.data?.reset?.id;
  expect(codesOf(await approve(first, resetId))).toEqual(['FORBIDDEN']);
  expect((await approve(second, resetId)).errors).toEqual([]);
  expect(codesOf(await approve(second, resetId))).toEqual(['CONFLICT']);

  application.clock.advance(72 * hour - 60_000);
  const early = application.browser();
  await early.must('requestRegistration', { input: { email: owner.email } });
  expect((await subjects(owner))[0]).toBe('You already have an account');
  await announce();
  application.clock.advance(61_000);
  await announce();
  await announce();
  expect((await subjects(owner)).slice(0, 2)).toEqual(['You can create a new passkey for your account', 'You already have an account']);

  const browser = application.browser();
  const token = await browser.verificationToken(owner.email);
  // Asking for the link ends nothing yet.
  expect((await signInWith(application.browser(), owner.passkey)).data).toMatchObject({ kind: 'full' });
  expect(await browser.must<Viewer>('confirmRegistration', { input: { token, resetsAccount: true } })).toMatchObject({
    kind: 'recovery',
    operatorId: null,
  });
  expect(codesOf(await signInWith(application.browser(), owner.passkey))).toEqual(['UNAUTHENTICATED']);
  expect(codesOf(await redeem(application.browser(), owner.recoveryCodes[0]))).toEqual(['NOT_FOUND']);
  expect((await subjects(owner))[0]).toBe('Your account has been reset');
  expect(codesOf(await browser.call('account'))).toEqual(['FORBIDDEN']);

  // Twenty minutes in vain do not cost another 72 hours.
  application.clock.advance(21 * 60_000);
  const again = application.browser();
  await again.must('confirmRegistration', { input: { token: await again.verificationToken(owner.email), resetsAccount: true } });
  const codes = await enrolAgain(again);
  expect((await again.viewer()).data).toMatchObject({ kind: 'full', operatorId });
  expect((await again.call('integration', { slug })).errors).toEqual([]);
  expect((await redeem(application.browser(), codes[0])).data).toMatchObject({ kind: 'recovery' });
  expect((await accountOf(await recovered(again, codes))).operatorId).toBe(operatorId);
  const trail = await application.rows<{ action: string }>(
    "select action from audit_entry where operator_id = $1 and action like 'account_reset%' order by id",
    [operatorId],
  );
  expect(trail.map(({ action }) => action)).toEqual([
    'account_reset.requested',
    'account_reset.approved',
    'account_reset.used',
    'account_reset.used',
  ]);
});

async function recovered(client: PortalClient, codes: readonly string[]): Promise<PortalClient> {
  await redeem(client, codes[1]);
  await enrolAgain(client);
  return client;
}

test('the owner reads of it by mail and on the account, and cancels it from any sign-in', async () => {
  const { owner, operatorId } = await lost();
  const resetId = (await request(first, operatorId)).data?.reset?.id;
  expect((await subjects(owner))[0]).toBe('Somebody says that you have lost access to your account');
  const asked = '{ viewer { attention { kind deadline act { label page } } } }';
  const needs = async () => (await owner.graphql<{ viewer: { attention: object[] } }>(asked)).data?.viewer.attention;
  const need = { kind: 'accountReset', act: { label: 'Cancel the reset', page: 'account' } };
  expect(await needs()).toMatchObject([{ ...need, deadline: null }]);
  await approve(second, resetId);
  expect((await subjects(owner))[0]).toBe('Your account will be reset in 72 hours');
  const [approved] = await application.rows<{ at: Date }>('select due_at as at from account_reset where id = $1', [resetId]);
  expect(await needs()).toMatchObject([{ ...need, deadline: approved?.at.toISOString() }]);
  const stranger = await application.operator();
  expect(codesOf(await stranger.call('cancelAccountReset', { input: { resetId } }))).toEqual(['NOT_FOUND']);
  const elsewhere = await owner.elsewhere();
  expect(await elsewhere.must<{ reset: Reset }>('account')).toMatchObject({ reset: { id: resetId } });
  await elsewhere.must('cancelAccountReset', { input: { resetId } });
  expect((await subjects(owner))[0]).toBe('The reset of your account was cancelled');
  expect(await needs()).toEqual([]);
  application.clock.advance(73 * hour);
  await announce();
  const browser = application.browser();
  await browser.must('requestRegistration', { input: { email: owner.email } });
  expect((await subjects(owner)).slice(0, 2)).toEqual(['You already have an account', 'The reset of your account was cancelled']);
  expect((await signInWith(application.browser(), owner.passkey)).data).toMatchObject({ kind: 'full' });
});

test('nobody resets their own account, a locked one, or one twice; what nobody uses in 14 days is over', async () => {
  const { owner, operatorId } = await lost();
  const { operatorId: own } = await accountOf(await signedIn(first));
  expect(codesOf(await request(first, own))).toEqual(['FORBIDDEN']);
  const asked = await request(first, operatorId);
  expect(codesOf(await request(second, operatorId))).toEqual(['CONFLICT']);
  await approve(second, asked.data?.reset?.id);
  await act(second, 'lockAccount', { operatorId, reason: 'To look first' });
  application.clock.advance(73 * hour);
  await application.browser().must('requestRegistration', { input: { email: owner.email } });
  expect((await subjects(owner))[0]).toBe('You already have an account');
  application.clock.advance(14 * 24 * hour);
  expect(codesOf(await request(first, operatorId))).toEqual(['CONFLICT']);
  await act(second, 'unlockAccount', { operatorId, reason: 'Looked' });
  expect((await request(first, operatorId)).errors).toEqual([]);
});

async function signedIn(client: PortalClient): Promise<PortalClient> {
  client.cookie = undefined;
  await client.signIn();
  return client;
}

test('the link that was asked for in time opens nothing once the reset is cancelled', async () => {
  const { owner, operatorId } = await lost();
  const resetId = (await request(first, operatorId)).data?.reset?.id;
  await approve(second, resetId);
  application.clock.advance(73 * hour);
  const browser = application.browser();
  const token = await browser.verificationToken(owner.email);
  await (await signedIn(owner)).must('cancelAccountReset', { input: { resetId } });
  expect(codesOf(await browser.call('confirmRegistration', { input: { token, resetsAccount: true } }))).toEqual(['CONFLICT']);
  expect((await browser.viewer()).data).toBeNull();
  expect((await signInWith(application.browser(), owner.passkey)).data).toMatchObject({ kind: 'full' });
});

/** A reset that is due, and a browser with its link. */
async function due() {
  const { owner, operatorId } = await lost();
  const resetId = (await request(first, operatorId)).data?.reset?.id;
  await approve(second, resetId);
  application.clock.advance(73 * hour);
  const browser = application.browser();
  return { owner, operatorId, resetId, browser, token: await browser.verificationToken(owner.email) };
}

test('the email says what link and code end, and both are refused, and stay unused, to a page that has not said it too', async () => {
  const { owner, browser, token } = await due();
  const text = await mailText(owner);
  expect(text).toContain('ends all passkeys, recovery codes and sessions of the account at once');
  expect(text).toContain('If you did not ask for the reset, use neither. Sign in and cancel the reset on the page Account, or contact ');
  expect(text).toContain(`/verify?reset=1#token=${token}`);
  expect(text).not.toContain('asked to register');
  const code = /^Code: (\S+)$/m.exec(text)?.[1];
  for (const refused of [
    await browser.call('confirmRegistration', { input: { token } }),
    await browser.call('confirmRegistrationCode', { input: { code } }),
  ]) {
    expect(codesOf(refused)).toEqual(['BAD_USER_INPUT']);
    expect(refused.errors[0]?.extensions.fields).toEqual([
      { path: 'input.resetsAccount', message: expect.stringContaining('ends all its passkeys, recovery codes and sessions') },
    ]);
  }
  expect((await signInWith(application.browser(), owner.passkey)).data).toMatchObject({ kind: 'full' });
  expect(await browser.must<Viewer>('confirmRegistrationCode', { input: { code, resetsAccount: true } })).toMatchObject({
    kind: 'recovery',
  });
  expect(codesOf(await signInWith(application.browser(), owner.passkey))).toEqual(['UNAUTHENTICATED']);
  expect(await browser.must<Viewer>('confirmRegistration', { input: { token, resetsAccount: true } })).toMatchObject({ kind: 'recovery' });
});

test('a link that is used while the reset is being cancelled opens nothing', async () => {
  const { owner, operatorId, resetId, browser, token } = await due();
  let confirmed: ReturnType<PortalClient['call']> | undefined;
  await application.fixtures.sql.begin(async (tx) => {
    await tx`select 1 from operator where id = ${operatorId} for no key update`;
    await tx`update account_reset set cancelled_at = ${application.clock.now()} where id = ${String(resetId)}`;
    confirmed = browser.call('confirmRegistration', { input: { token, resetsAccount: true } });
    await waitForLock(application);
  });
  expect(confirmed && codesOf(await confirmed)).toEqual(['CONFLICT']);
  expect((await signInWith(application.browser(), owner.passkey)).data).toMatchObject({ kind: 'full' });
});

test('an administrator who cancels a reset in use ends the browser’s recovery, so that no passkey is created', async () => {
  const { resetId, browser, token } = await due();
  await browser.must('confirmRegistration', { input: { token, resetsAccount: true } });
  const options = await browser.creationOptions();
  expect((await act(first, 'cancelAnyAccountReset', { resetId })).errors).toEqual([]);
  expect(codesOf(await browser.enrol(browser.passkey.create(options, browser.origin)))).toEqual(['UNAUTHENTICATED']);
  expect((await browser.viewer()).data).toBeNull();
});

test('an administrator cancels with a fresh passkey alone, and leaves a recovery by a code of the owner’s as it is', async () => {
  const { owner, operatorId } = await lost();
  const resetId = (await request(first, operatorId)).data?.reset?.id;
  await approve(second, resetId);
  const browser = application.browser();
  expect((await redeem(browser, owner.recoveryCodes[0])).data).toMatchObject({ kind: 'recovery' });
  expect(codesOf(await (await signedIn(first)).call('cancelAccountReset', { input: { resetId } }))).toEqual(['NOT_FOUND']);
  expect(codesOf(await first.call('cancelAnyAccountReset', { input: { resetId } }))).toEqual(['FRESH_PASSKEY_REQUIRED']);
  expect((await act<{ reset: Reset }>(first, 'cancelAnyAccountReset', { resetId })).data).toMatchObject({ reset: null });
  await enrolAgain(browser);
  expect((await browser.viewer()).data).toMatchObject({ kind: 'full', operatorId });
});

test('whatever uses a link or a code locks its account before them, as what deletes the account does', async () => {
  const { owner, operatorId, browser, token } = await due();
  const code = /^Code: (\S+)$/m.exec(await mailText(owner))?.[1];
  const input = { resetsAccount: true };
  const waiting = async (step: () => Promise<unknown>) => {
    let done: Promise<unknown> | undefined;
    await application.fixtures.sql.begin(async (tx) => {
      await tx`select 1 from operator where id = ${operatorId} for no key update`;
      done = step();
      await waitForLock(application);
      await tx`select 1 from verification_link where email_key = ${owner.email} for update nowait`;
    });
    await done;
  };
  await waiting(() => browser.must('confirmRegistration', { input: { ...input, token } }));
  await waiting(() => browser.must('confirmRegistrationCode', { input: { ...input, code } }));
  const response = browser.passkey.create(await browser.creationOptions(), browser.origin);
  await waiting(() => browser.enrol(response));
  expect((await browser.viewer()).data).toMatchObject({ kind: 'full', operatorId });
});

test('the other administrators are told of a request, and one who has appointed the other is not the second', async () => {
  await application.rows('update account_reset set cancelled_at = requested_at where done_at is null');
  const appointed = await application.operator();
  const { operatorId: appointedId } = await accountOf(appointed);
  await act(first, 'grantRole', { operatorId: appointedId, role: 'administrator' });
  const { operatorId } = await lost();
  const resetId = (await request(first, operatorId)).data?.reset?.id;
  const told = 'The reset of an account waits for a second administrator';
  expect((await subjects(appointed))[0]).toBe(told);
  expect((await subjects(second))[0]).toBe(told);
  expect(await subjects(first)).not.toContain(told);
  const { attention } = await (await signedIn(second)).must<{ attention: { items: unknown[] } }>('administratorsHome');
  expect(attention.items).toContainEqual(
    expect.objectContaining({
      kind: 'resetsWaiting',
      title: '1 account reset waiting for a second administrator',
      act: expect.objectContaining({ page: 'adminOperator', objectId: operatorId }),
    }),
  );
  expect(codesOf(await approve(appointed, resetId))).toEqual(['FORBIDDEN']);
  await act(first, 'cancelAnyAccountReset', { resetId });
  const other = (await request(appointed, operatorId)).data?.reset?.id;
  expect(codesOf(await approve(first, other))).toEqual(['FORBIDDEN']);
  // Appointed again by another administrator.
  await act(second, 'withdrawRole', { operatorId: appointedId, role: 'administrator' });
  await act(second, 'grantRole', { operatorId: appointedId, role: 'administrator' });
  expect((await approve(first, other)).errors).toEqual([]);
});

test('two whom one administrator has appointed, directly or over others, are not two', async () => {
  await application.rows('update account_reset set cancelled_at = requested_at where done_at is null');
  const appoint = async (by: PortalClient) => {
    const client = await application.operator();
    const { operatorId } = await accountOf(client);
    expect(codesOf(await act(by, 'grantRole', { operatorId, role: 'administrator' }))).toEqual([]);
    return { client, operatorId };
  };
  const [one, other] = [await appoint(first), await appoint(first)];
  const further = await appoint(other.client);
  const { operatorId } = await lost();
  const resetId = (await request(one.client, operatorId)).data?.reset?.id;
  expect(codesOf(await approve(other.client, resetId))).toEqual(['FORBIDDEN']);
  expect(codesOf(await approve(further.client, resetId))).toEqual(['FORBIDDEN']);
  expect(codesOf(await approve(first, resetId))).toEqual(['FORBIDDEN']);
  // That who has appointed them is no administrator any more makes them no more than one.
  await act(second, 'withdrawRole', { operatorId: other.operatorId, role: 'administrator' });
  expect(codesOf(await approve(further.client, resetId))).toEqual(['FORBIDDEN']);
  const independent = await appoint(second);
  expect((await approve(independent.client, resetId)).errors).toEqual([]);
});

test('what was asked, why and by whom outlasts the account, and a reset that is open then is cancelled', async () => {
  const { owner, operatorId } = await lost();
  await request(first, operatorId);
  await owner.confirmFreshly();
  await owner.must('deleteAccount');
  const kept = await application.rows(
    'select reason, proof, cancelled_at is not null as cancelled from account_reset where operator_id = $1',
    [operatorId],
  );
  expect(kept).toEqual([{ reason: 'Phone lost', proof: 'Called back the number on record', cancelled: true }]);
  const trail = await application.rows<{ details: object }>(
    "select details from audit_entry where operator_id = $1 and action = 'account_reset.requested'",
    [operatorId],
  );
  expect(trail).toEqual([{ details: { reason: 'Phone lost' } }]);
});

test('a request is worth nothing once the administrator who made it is none any more', async () => {
  const former = await administrator(application);
  const { operatorId } = await lost();
  const resetId = (await request(former, operatorId)).data?.reset?.id;
  await act(first, 'lockAccount', { operatorId: (await accountOf(former)).operatorId, reason: 'Taken over' });
  expect(codesOf(await approve(second, resetId))).toEqual(['CONFLICT']);
});

test('the database takes neither a shorter wait nor one administrator, nor the owner as one', async () => {
  const { operatorId } = await lost();
  const resetId = (await request(first, operatorId)).data?.reset?.id;
  const [one, other] = [(await accountOf(first)).operatorId, (await accountOf(await signedIn(second))).operatorId];
  const approved = (by: string, wait: string) =>
    application.rows(
      'update account_reset set approved_by = $2, approved_at = requested_at, due_at = requested_at + $3::interval where id = $1',
      [resetId, by, wait],
    );
  await expect(approved(other, '71 hours')).rejects.toMatchObject({ code: '23514' });
  await expect(approved(one, '72 hours')).rejects.toMatchObject({ code: '23514' });
  await expect(approved(operatorId, '72 hours')).rejects.toMatchObject({ code: '23514' });
});
