import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mailboxAttempts } from '../../../server/domain/account/attempts.ts';
import { tablesHolding } from '../../support/database/everyTable.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { acknowledge, numberOfClient, revokedConnection, revokedOrder } from '../../support/world/revocationFixtures.ts';
import { waitForLock } from '../../support/database/waitForLock.ts';
import { portalSession } from '../../support/world/accountFixtures.ts';
import { rowsOn } from '../../support/world/Rows.ts';
import { emptyConnection } from '../../support/world/sharingFixtures.ts';
import { waitingSubmission } from '../../support/world/submissionFixtures.ts';

type Named = { slug: string; publicName: string };
type Settings = { deletion: Record<'retires' | 'submitted' | 'undeleted', Named[]> };

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());
beforeEach(() => application.rows('delete from attempt_window'));

const operatorId = async (browser: PortalClient) => (await browser.viewer()).data?.operatorId ?? '';
const deletion = async (browser: PortalClient) => (await browser.must<Settings>('accountSettings')).deletion;
const now = () => application.clock.now();

test('a deleted account leaves nothing but its identifier: no address, passkey, session or code', async () => {
  const browser = await application.operator();
  const { email } = browser;
  const id = await operatorId(browser);
  const integration = await browser.createIntegration({ supportEmail: 'help@example.org' });
  await browser.issuedCertificate(integration);
  const elsewhere = browser.copy();
  await elsewhere.signIn().catch(() => undefined);
  expect(await deletion(browser)).toEqual({
    retires: [{ slug: integration.slug, publicName: 'Order Board' }],
    submitted: [],
    undeleted: [],
  });

  await browser.must('deleteAccount');
  expect(browser.cookie).toBeUndefined();
  for (const table of ['passkey', 'portal_session', 'recovery_code', 'email_change', 'verification_link']) {
    expect([table, await application.rows(`select 1 from ${table} where operator_id = $1`, [id])]).toEqual([table, []]);
  }
  expect(await application.rows('select terms_version, ip from terms_acceptance where operator_id = $1', [id])).toEqual([
    { terms_version: 1, ip: null },
  ]);
  const [row] = await application.rows('select email, email_key, user_handle, roles from operator where id = $1', [id]);
  expect(row).toEqual({ email: null, email_key: null, user_handle: null, roles: [] });
  const [{ status } = { status: '' }] = await application.rows<{ status: string }>('select status from integration where slug = $1', [
    integration.slug,
  ]);
  expect(status).toBe('retired');
  expect(await application.rows("select 1 from certificate where status <> 'revoked' and requested_by = $1", [id])).toEqual([]);
  const trail = await application.rows<{ action: string; ip: string | null }>('select action, ip from audit_entry where operator_id = $1', [
    id,
  ]);
  expect(trail.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['operator.registered', 'operator.deleted', 'integration.retired']),
  );
  expect(trail.filter(({ ip }) => ip !== null)).toEqual([]);

  // Only the last mail still needs the address, and only until it is sent.
  expect((await tablesHolding(application, email)).sort()).toEqual(['public.development_mail', 'public.mail']);
  expect((await application.browser().mails(email))[0]?.subject).toBe('Your account has been deleted');
  expect(await tablesHolding(application, email)).toEqual(['public.development_mail']);
});

test('afterwards passkey and cookies are worth nothing, and the address may register again', async () => {
  const browser = await application.operator();
  const { email } = browser;
  const former = await operatorId(browser);
  await browser.confirmFreshly();
  const copy = browser.copy();
  await browser.must('deleteAccount');
  expect(codesOf(await copy.call('integrations'))).toEqual(['UNAUTHENTICATED']);
  await expect(browser.signIn()).rejects.toThrow('UNAUTHENTICATED');
  const again = await application.operator(email);
  expect(await operatorId(again)).not.toBe(former);
  expect(await again.must('integrations')).toMatchObject({ totalCount: 0 });
});

test('without a fresh passkey confirmation nothing is deleted', async () => {
  const browser = await application.operator();
  expect(codesOf(await browser.call('deleteAccount'))).toEqual(['FRESH_PASSKEY_REQUIRED']);
  expect((await browser.viewer()).data?.email).toBe(browser.email);
});

test('while one integration is under review the account stays, and so do all the others', async () => {
  const browser = await application.operator();
  const [submitted, other] = [await browser.createIntegration({ publicName: 'In Review' }), await browser.createIntegration()];
  await application.rows("update integration set status = 'submitted' where slug = $1", [submitted.slug]);
  await browser.confirmFreshly();
  expect((await deletion(browser)).submitted).toEqual([{ slug: submitted.slug, publicName: 'In Review' }]);
  const refused = await browser.call('deleteAccount');
  expect(codesOf(refused)).toEqual(['CONFLICT']);
  expect(refused.errors[0]?.message).toContain('“In Review” is under review');
  expect(await browser.must('integration', { slug: other.slug })).toMatchObject({ status: 'sandbox' });
});

test('an administrator’s own review is respected as well, and the last administrator stays', async () => {
  const [browser, colleague] = [await application.operator(), await application.operator()];
  const submitted = await browser.createIntegration();
  const makeAdministrator = async (whom: PortalClient) =>
    application.rows("update operator set roles = '{administrator}' where id = $1", [await operatorId(whom)]);
  await makeAdministrator(browser);
  await browser.confirmFreshly();
  const last = await browser.call('deleteAccount');
  expect([codesOf(last), last.errors[0]?.message]).toEqual([['CONFLICT'], expect.stringContaining('last administrator')]);
  await makeAdministrator(colleague);
  await application.rows("update integration set status = 'submitted' where slug = $1", [submitted.slug]);
  const reviewed = await browser.call('deleteAccount');
  expect([codesOf(reviewed), reviewed.errors[0]?.message]).toEqual([['CONFLICT'], expect.stringContaining('under review')]);
  await application.rows("update integration set status = 'rejected' where slug = $1", [submitted.slug]);
  await browser.must('deleteAccount');
});

test('a production deletion has to be recorded first; those in the sandbox do not count', async () => {
  const browser = await application.operator();
  const { slug } = await browser.createIntegration();
  await revokedOrder(application, { clientNumber: await numberOfClient(application, slug), revokedAt: now() });
  const clientNumber = await numberOfClient(application, slug, 'production');
  const { revocationId } = await revokedConnection(application, { clientNumber, revokedAt: now() }, 2);
  await browser.confirmFreshly();
  expect((await deletion(browser)).undeleted.map((each) => each.slug)).toEqual([slug]);
  const refused = await browser.call('deleteAccount');
  expect(codesOf(refused)).toEqual(['CONFLICT']);
  expect(refused.errors[0]?.message).toContain('record the deletions');
  await acknowledge(application, revocationId, now(), true);
  expect(await deletion(browser)).toMatchObject({ undeleted: [] });
  await browser.must('deleteAccount');
});

test('what users still share in production has to end and be deleted first, since nobody could record it afterwards', async () => {
  const browser = await application.operator();
  const { slug } = await browser.createIntegration();
  const clientNumber = await numberOfClient(application, slug, 'production');
  const { revocationId } = await revokedOrder(application, { clientNumber, revokedAt: now() });
  await acknowledge(application, revocationId, now());
  await browser.confirmFreshly();
  expect(codesOf(await browser.call('deleteAccount'))).toEqual(['CONFLICT']);
  expect(await browser.must('integration', { slug })).toMatchObject({ status: 'sandbox' });
});

test('what somebody shares while the account is being deleted stops the deletion, and all stays as it was', async () => {
  const browser = await application.operator();
  const { slug } = await browser.createIntegration();
  const clientNumber = await numberOfClient(application, slug, 'production');
  await browser.confirmFreshly();
  expect((await deletion(browser)).undeleted).toEqual([]);
  const sharing = await application.pool.connect();
  try {
    await sharing.query('begin');
    await sharing.query('select 1 from client_feed where client_number = $1 for update', [clientNumber]);
    const deleting = browser.call('deleteAccount');
    await waitForLock(application);
    await emptyConnection(rowsOn(sharing), { clientNumber, at: now() });
    await sharing.query('commit');
    const refused = await deleting;
    expect([codesOf(refused), refused.errors[0]?.message]).toEqual([['CONFLICT'], expect.stringContaining('holds users’ production data')]);
  } finally {
    sharing.release();
  }
  expect((await browser.viewer()).data?.email).toBe(browser.email);
  expect(await browser.must('integration', { slug })).toMatchObject({ status: 'sandbox' });
  expect(await application.rows('select revocation_id from connection where client_number = $1', [clientNumber])).toEqual([
    { revocation_id: null },
  ]);
});

test('what is being saved for an account while it is deleted can be finished, and is waited for', async () => {
  const held = [
    ['an integration', 'select 1 from integration where operator_id = $1 for no key update'],
    ['a client', 'select 1 from client where integration_id in (select id from integration where operator_id = $1) for no key update'],
  ] as const;
  for (const [what, hold] of held) {
    const browser = await application.operator();
    const id = await operatorId(browser);
    await browser.createIntegration();
    await browser.confirmFreshly();
    const saving = await application.pool.connect();
    try {
      await saving.query('begin');
      await saving.query(hold, [id]);
      const deleting = browser.call('deleteAccount');
      await waitForLock(application);
      // Takes the lock that every new row with a reference to the operator takes: a profile version, a certificate, a mail.
      const named = await saving.query('select 1 from operator where id = $1 for key share nowait', [id]).catch(String);
      await saving.query(typeof named === 'string' ? 'rollback' : 'commit');
      expect([what, named]).toEqual([what, expect.objectContaining({ rowCount: 1 })]);
      expect(codesOf(await deleting)).toEqual([]);
    } finally {
      saving.release();
    }
  }
});

test('mails that still wait for a deleted account are never sent, but for the farewell', async () => {
  const browser = await application.operator();
  const { email } = browser;
  const id = await operatorId(browser);
  await browser.confirmFreshly();
  await browser.must('regenerateRecoveryCodes');
  const waiting = async () =>
    (await application.rows<{ kind: string }>('select kind from mail where operator_id = $1', [id])).map(({ kind }) => kind);
  expect(await waiting()).toEqual(['recovery_codes_made']);
  await browser.must('deleteAccount');
  expect(await waiting()).toEqual(['account_deleted']);
  expect((await application.browser().mails(email)).map(({ subject }) => subject)).toEqual([
    'Your account has been deleted',
    'Confirm your address',
  ]);
});

test('a deleted reviewer gives back what they had taken', async () => {
  const [reviewer, owner] = [await application.operator(), await application.operator()];
  const id = await operatorId(reviewer);
  const { id: integrationId } = await owner.createIntegration();
  const taken = await waitingSubmission(application, { integrationId, operatorId: await operatorId(owner), reviewerId: id, at: now() });
  await reviewer.confirmFreshly();
  await reviewer.must('deleteAccount');
  expect(await application.rows('select reviewer_id, taken_at from review_submission where id = $1', [taken])).toEqual([
    { reviewer_id: null, taken_at: null },
  ]);
  const released = "select actor_id, details from audit_entry where action = 'submission.released' and subject_id = $1";
  expect(await application.rows(released, [taken])).toEqual([{ actor_id: id, details: { because: 'account deleted' } }]);
});

test('two deletions at the same moment delete once', async () => {
  const browser = await application.operator();
  const id = await operatorId(browser);
  await browser.createIntegration();
  await browser.confirmFreshly();
  const answers = await Promise.all([browser.copy().call('deleteAccount'), browser.copy().call('deleteAccount')]);
  expect(answers.flatMap(codesOf)).toEqual(['UNAUTHENTICATED']);
  expect(await application.rows("select 1 from audit_entry where action = 'operator.deleted' and operator_id = $1", [id])).toHaveLength(1);
});

test.each([
  ['an integration that is created', 'integration', (browser: PortalClient) => browser.tryCreateIntegration()],
  [
    'an acceptance of the terms, with its address,',
    'terms_acceptance',
    (browser: PortalClient) => browser.call('acceptTerms', { input: { version: 1, nonCommercial: true, attribution: true } }),
  ],
])('%s while the account is being deleted is refused, never left behind', async (_what, table, begin) => {
  const browser = await application.operator();
  const id = await operatorId(browser);
  if (table === 'integration') await browser.acceptTerms();
  const deleting = await application.pool.connect();
  try {
    await deleting.query('begin');
    await deleting.query('update operator set email = null, email_key = null, user_handle = null, deleted_at = $2 where id = $1', [
      id,
      now(),
    ]);
    const begun = begin(browser);
    await waitForLock(application);
    await deleting.query('commit');
    expect(codesOf(await begun)).toEqual(['UNAUTHENTICATED']);
  } finally {
    deleting.release();
  }
  expect(await application.rows(`select from ${table} where operator_id = $1`, [id])).toEqual([]);
});

test('a sign-in that is under way leaves no session with the address behind', async () => {
  const browser = await application.operator();
  const id = await operatorId(browser);
  await browser.confirmFreshly();
  const signIn = await application.pool.connect();
  try {
    await signIn.query('begin');
    await signIn.query('select 1 from passkey where operator_id = $1 for key share', [id]);
    const deleting = browser.call('deleteAccount');
    await waitForLock(application);
    await portalSession(rowsOn(signIn), { operatorId: id, email: browser.email, at: now() });
    await signIn.query('commit');
    expect(codesOf(await deleting)).toEqual([]);
  } finally {
    signIn.release();
  }
  expect(await application.rows('select 1 from portal_session where operator_id = $1', [id])).toEqual([]);
});

test('not even the hash of the address stays, nor an enrolment that was begun with another spelling of it', async () => {
  const browser = await application.operator();
  await browser.confirmFreshly();
  const sources = mailboxAttempts(browser.email, '127.0.0.1').map(({ source }) => source);
  const counted = () =>
    application.rows<{ kind: string }>('select kind from attempt_window where source = any ($1) order by kind', [sources]);
  await application.browser().must('requestRegistration', { input: { email: browser.email } });
  await portalSession(application, { kind: 'enrolment', email: browser.email.toUpperCase(), at: now() });
  expect((await counted()).map(({ kind }) => kind)).toContain('registration_mailbox_ip');
  await browser.must('deleteAccount');
  expect((await counted()).filter(({ kind }) => kind.startsWith('registration_mailbox'))).toEqual([]);
  expect(await application.rows('select 1 from portal_session where email = $1', [browser.email.toUpperCase()])).toEqual([]);
});
