import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pagePatterns } from '../../portal-web/src/paths.ts';
import { removeExpired } from '../../server/domain/retention/removeExpired.ts';
import {
  mailKindRules,
  mailKinds,
  notificationTopics,
  roleOfTopic,
  type MailDetails,
  type MailKind,
} from '../../server/domain/notification/mailKinds.ts';
import { notify, type Notification } from '../../server/domain/notification/notify.ts';
import { notifyStaff } from '../../server/domain/notification/notifyStaff.ts';
import { integrationMailTexts } from '../../server/domain/notification/integrationMailTexts.ts';
import type { Role } from '../../server/domain/shared/actor.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import { Fixtures, type TestClient } from '../support/world/Fixtures.ts';
import { partsOf, startMailServer } from '../support/clients/mailServer.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { verificationLink } from '../support/world/accountFixtures.ts';

let application: PortalWorld;
let fixtures: Fixtures;
let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer(0);
  application = await openWorld({
    portal: {
      env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'Integrations <no-reply@example.com>' },
    },
  });
  fixtures = new Fixtures(application.databaseUrl);
});
let client: TestClient;
beforeEach(async () => {
  client = await fixtures.client({ environment: 'production', status: 'active' });
  await setRoles('{reviewer,administrator}');
});
afterEach(() => {
  server.received.splice(0);
});
afterAll(async () => {
  await fixtures.end();
  await application.close();
  await server.close();
});

const deadline = '2026-12-24T18:00:00.000Z';
/** The kinds whose mails always have details. */
type Detailed = { [Kind in MailKind]: Record<string, never> extends MailDetails[Kind] ? never : Kind }[MailKind];
/** An example of the details of each kind that has any. */
const details: Pick<MailDetails, Detailed> & Partial<MailDetails> = {
  new_passkey: { passkeyName: '<b>My & “laptop”</b>' },
  passkey_removed: { passkeyName: 'Blue <b>key</b>' },
  recovery_used: { codesLeft: 7 },
  terms_published: { version: 2, title: 'Integration Terms' },
  certificate_expiring: {
    environment: 'production',
    commonName: 'svc:production:cli_x',
    usableUntil: deadline,
    left: 7 * 24 * 60 * 60 * 1000,
  },
  certificate_end_restored: { environment: 'sandbox', commonName: 'svc:sandbox:cli_x', usableUntil: deadline },
  p12_expired: { environment: 'sandbox', commonName: 'svc:sandbox:cli_x' },
  p12_blocked: { environment: 'production', commonName: 'svc:production:cli_x' },
  certificate_renewal: {
    environment: 'production',
    commonName: 'svc:production:cli_x',
    certificateId: 'crt_x',
    renewedSerial: '5f0c3a8f7e6d5c4b',
  },
  certificates_revoked: {
    environment: 'production',
    commonName: 'svc:production:cli_x',
    certificates: 1,
    which: 'one',
    serial: '4a',
    reason: 'A <leaked> key',
  },
  quota_reached: { environment: 'sandbox', quota: 'requests_per_hour', percent: 80, limit: 600, resetsAt: deadline },
  webhook_failing: { environment: 'production', host: 'hooks.example.org', since: deadline, hours: 24 },
  webhook_dead_letters: { environment: 'sandbox', letters: 12, more: 0, hosts: 'hooks.example.org, two.example.org' },
  webhook_paused: { environment: 'production', host: 'hooks.example.org', reason: 'Nobody <answers>' },
  webhook_resumed: { environment: 'production', host: 'hooks.example.org', reason: 'Mended' },
  deletion_warning: { deletions: 2, deadline },
  integration_suspended: { reason: 'Two complaints <of users>' },
  integration_reactivated: { reason: 'Settled' },
  gate_moved: { gate: 'service', open: 0, otherOpen: 1, reason: 'Maintenance <tonight>' },
  role_granted: { role: 'reviewer', reason: 'They know <it>' },
  role_withdrawn: { role: 'administrator' },
  integration_retired: { reason: 'Broken promises' },
  submission_received: { submissionId: 'sub_x', round: 2 },
  question_answered: { submissionId: 'sub_x' },
  suspension_made: { reason: 'Two complaints <of users>' },
  deletions_overdue: { deletions: 3, suspended: 1 },
  account_reset_waiting: { operatorId: 'opr_x', reason: 'The <phone> fell into a lake' },
  account_locked: { reason: 'Somebody <else> signs in' },
  account_unlocked: { reason: 'Settled' },
  account_reset_requested: { reason: 'The <phone> fell into a lake' },
  account_reset_approved: { reason: 'The <phone> fell into a lake', dueAt: deadline },
};

/** Notifies the client's owner; the mail is sent when the jobs are worked off. */
async function tell(kind: MailKind, { subjectId = newId('mail'), operatorId = client.operatorId } = {}): Promise<void> {
  const { integrationId } = client;
  const notification = { kind, subjectId, operatorId, integrationId, details: details[kind], now: application.clock.now() } as Notification;
  await application.orm.em.fork().transactional((tx) => notify(tx, notification));
}

const setRoles = (roles: string) => application.rows('update operator set roles = $2 where id = $1', [client.operatorId, roles]);
const subjects = () => server.received.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1]);
const mute = (topics: string[]) =>
  application.rows('update operator set muted_notifications = $2 where id = $1', [client.operatorId, topics]);

/** A link of the kind, as the commands make it. */
function linkFor(kind: MailKind, email: string): Promise<string> {
  const purpose = kind === 'email_changed' ? 'email_change_new' : kind;
  return verificationLink(application, { purpose, email, operatorId: client.operatorId, at: application.clock.now() });
}

/** Whether the router of the portal’s pages knows what an address leads to. */
function leadsToPage(address: string): boolean {
  const { origin, pathname } = new URL(address);
  const patterns = pagePatterns.map((pattern) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`));
  return origin === application.portalUrl && patterns.some((pattern) => pattern.test(pathname));
}

const linked: ReadonlySet<MailKind> = new Set(['registration', 'email_change_current', 'email_change_new', 'email_changed']);

test.each(mailKinds)('a mail of the kind %s is readable as text and as HTML, says why it came, and loads nothing', async (kind) => {
  const email = `${newId('opr')}@example.com`;
  await tell(kind, linked.has(kind) ? { subjectId: await linkFor(kind, email) } : {});
  await application.work();
  expect(server.received.map(({ to }) => to)).toEqual([[linked.has(kind) ? email : `${client.operatorId}@example.com`]]);
  const { 'text/plain': text = '', 'text/html': html = '' } = partsOf(server.received[0]?.raw ?? '');
  for (const part of [text, html]) {
    expect(part).toContain('You received this email because ');
    expect(part.includes('switch it off at')).toBe(mailKindRules[kind].topic !== null);
    expect(part).not.toMatch(/undefined|null|NaN|\[object/);
  }
  expect(html).toMatch(/^<!doctype html><html lang="en"><head>.*<title>[^<]+<\/title>.*color-scheme: light dark/s);
  expect(html).not.toMatch(/<(img|script|link|iframe|object|video|form)\b|src=|url\(|@import|<b>My|<of users/i);
  const addresses = [...html.matchAll(/href="([^"]+)"/g)].map(([, address]) => address);
  // An owner whose account is gone or locked has no page to go to.
  expect(addresses.length > 0).toBe(kind !== 'account_deleted' && kind !== 'account_locked');
  expect(addresses.filter((address = '') => !leadsToPage(address))).toEqual([]);
  // What is about one environment leads to it, whichever an integration's pages show by themselves.
  const { environment } = { environment: undefined, ...details[kind] };
  expect(environment === undefined || addresses.some((address) => address?.endsWith(`?environment=${environment}`))).toBe(true);
});

test('a mail of a kind that only a later release knows is left to that release', async () => {
  const subjectId = newId('mail');
  await tell('new_passkey', { subjectId });
  await application.rows("update mail set kind = 'of_a_later_release' where subject_id = $1", [subjectId]);
  await application.work();
  expect(server.received).toEqual([]);
  const failed = () => application.rows("select last_error from graphile_worker.jobs where task_identifier = 'sendMail'");
  expect(await failed()).toEqual([{ last_error: expect.stringContaining('Only a later release can write a mail of this kind.') }]);
  await application.rows("update mail set kind = 'new_passkey' where subject_id = $1", [subjectId]);
  await application.rows('update graphile_worker._private_jobs set run_at = now() where last_error is not null');
  await application.work();
  expect(await failed()).toEqual([]);
  expect(subjects()).toHaveLength(1);
});

test.each([
  [1, 1, 'Both gates are open now: production data flows as soon as the integration is active.'],
  [1, 0, 'The gate of this integration is still closed, so no production data flows yet.'],
  [0, 1, 'Production data stops with the next request.'],
  [0, 0, 'The gate of this integration was closed already, so no production data flowed before either.'],
])('the mail about a gate that is open or not (%s) says what is true with the other one (%s)', (open, otherOpen, words) => {
  const facts = { integration: { name: 'Test', slug: 'test' }, contact: 'support@example.com' } as const;
  const moved = { gate: 'service', open, otherOpen, reason: 'Maintenance' } as const;
  const { paragraphs } = integrationMailTexts.gate_moved({ ...facts, details: moved, token: null, code: null });
  expect(paragraphs[0]).toContain(words);
});

test('one event is told once, however often it is reported, and one that is rolled back not at all', async () => {
  const subjectId = newId('mail');
  await Promise.all([1, 2, 3].map(() => tell('integration_suspended', { subjectId })));
  await tell('integration_suspended', { subjectId });
  const rolledBack = application.orm.em.fork().transactional(async (tx) => {
    await notify(tx, { kind: 'session_stolen', subjectId, operatorId: client.operatorId, now: application.clock.now() });
    throw new Error('changed my mind');
  });
  await expect(rolledBack).rejects.toThrow('changed my mind');
  await application.work();
  expect(subjects()).toEqual(['Suspended: Test']);
});

test('a mail goes to the address that the account has when it is sent, and a deleted account gets none', async () => {
  const moved = `${newId('opr')}@example.org`;
  await tell('new_passkey');
  await application.rows('update operator set email = $2, email_key = $2 where id = $1', [client.operatorId, moved]);
  await application.work();
  expect(server.received.map(({ to }) => to)).toEqual([[moved]]);
  await tell('new_passkey');
  await application.rows('update operator set email = null, email_key = null, deleted_at = now() where id = $1', [client.operatorId]);
  await application.work();
  expect(server.received).toHaveLength(1);
  // The job is done, rather than tried again and again without an address.
  expect(await application.rows("select 1 from graphile_worker.jobs where task_identifier = 'sendMail'")).toEqual([]);
});

test('what is switched off is not sent, and what protects the account or a deadline always is', async () => {
  await mute([...notificationTopics]);
  const kinds = mailKinds.filter((kind) => !linked.has(kind) && kind !== 'account_deleted');
  for (const kind of kinds) await tell(kind);
  await application.work();
  expect(server.received).toHaveLength(kinds.filter((kind) => mailKindRules[kind].topic === null).length);
  server.received.splice(0);
  await mute(['quotas']);
  for (const kind of kinds) await tell(kind);
  await application.work();
  expect(server.received).toHaveLength(kinds.filter((kind) => mailKindRules[kind].topic !== 'quotas').length);
});

test('mail for reviewers and administrators goes to nobody who has lost the role meanwhile', async () => {
  const kinds = mailKinds.filter((kind) => !linked.has(kind) && kind !== 'account_deleted');
  const sentWith = async (roles: string) => {
    server.received.splice(0);
    await setRoles(roles);
    for (const kind of kinds) await tell(kind);
    await application.work();
    return server.received.length;
  };
  const all = await sentWith('{reviewer,administrator}');
  expect(all).toBe(kinds.length);
  const mailsFor = (...roles: readonly Role[]) =>
    kinds.filter((kind) => {
      const { topic } = mailKindRules[kind];
      const role = topic === null ? null : roleOfTopic(topic);
      return role === null || roles.includes(role);
    }).length;
  expect([await sentWith('{administrator}'), await sentWith('{reviewer}'), await sentWith('{}')]).toEqual([
    mailsFor('administrator'),
    mailsFor('reviewer'),
    mailsFor(),
  ]);
});

test('staff get no mail about an integration of their own, nor about what they have done themselves', async () => {
  const other = await fixtures.client({ environment: 'production', status: 'active' });
  const told = async (except: readonly string[]) => {
    const event = { kind: 'suspension_made', subjectId: newId('mail'), integrationId: other.integrationId, except } as const;
    const about = { details: { reason: 'x' }, now: application.clock.now() };
    await application.orm.em.fork().transactional((tx) => notifyStaff(tx, { ...event, ...about }));
    const sent = await application.rows<{ id: string }>('select operator_id as id from mail where subject_id like $1', [
      `${event.subjectId}%`,
    ]);
    return [client, other].map(({ operatorId }) => sent.some(({ id }) => id === operatorId));
  };
  await application.rows(`update operator set roles = '{administrator}' where id = $1`, [other.operatorId]);
  expect(await told([])).toEqual([true, false]);
  expect(await told([client.operatorId])).toEqual([false, false]);
  await application.rows(`update operator set roles = '{}' where id = $1`, [other.operatorId]);
});

test('an operator switches optional mail off and on in the portal', async () => {
  const mailbox = (await linkReader()) as { muted: () => Promise<unknown>; set: (muted: string[]) => Promise<unknown> };
  expect(await mailbox.muted()).toEqual([]);
  expect(await mailbox.set(['quotas', 'reviews'])).toEqual(['reviews', 'quotas']);
  expect(await mailbox.muted()).toEqual(['reviews', 'quotas']);
  await mailbox.set(['reviews', 'quotas']);
  expect(await mailbox.set([])).toEqual([]);
  const trail = await application.rows("select details from audit_entry where action = 'operator.notifications_changed' order by id");
  expect(trail).toEqual([{ details: { muted: 'reviews quotas' } }, { details: { muted: '' } }]);
  await expect(mailbox.set(['terms_published'])).rejects.toThrow('BAD_USER_INPUT');
  // A later release has been told more, which a page of this one cannot say again.
  const stored = () => application.rows("select muted_notifications as muted from operator where email = 'switches@example.com'");
  await application.rows("update operator set muted_notifications = '{reviews,of_a_later_release}' where email = 'switches@example.com'");
  expect(await mailbox.set(['quotas'])).toEqual(['quotas']);
  expect(await stored()).toEqual([{ muted: ['quotas', 'of_a_later_release'] }]);
});

/** A registered operator whose mail is read from the SMTP server. */
async function linkReader() {
  const browser = application.browser();
  await browser.must('requestRegistration', { input: { email: 'switches@example.com' } });
  await application.work();
  const token = /#token=([\w-]+)/.exec(partsOf(server.received.at(-1)?.raw ?? '')['text/plain'] ?? '')?.[1];
  await browser.must('confirmRegistration', { input: { token } });
  await browser.enrol(browser.passkey.create(await browser.creationOptions(), browser.origin));
  return {
    muted: async () => (await browser.must<{ mutedNotifications: string[] }>('accountSettings')).mutedNotifications,
    set: (muted: string[]) => browser.must('setNotificationPreferences', { input: { muted } }),
  };
}

test('a farewell that cannot be delivered loses its address after a week, and mails go after 90 days', async () => {
  const { email } = (await application.rows<{ email: string }>('select email from operator where id = $1', [client.operatorId]))[0] ?? {};
  await tell('account_deleted', { subjectId: client.operatorId });
  const recipients = () => application.rows('select recipient from mail where subject_id = $1', [client.operatorId]);
  expect(await recipients()).toEqual([{ recipient: email }]);
  const day = 24 * 60 * 60 * 1000;
  const after = (days: number) =>
    removeExpired(application.orm.em.fork(), { now: new Date(application.clock.now().getTime() + days * day) });
  await after(6);
  expect(await recipients()).toEqual([{ recipient: email }]);
  await after(8);
  expect(await recipients()).toEqual([{ recipient: null }]);
  await after(91);
  expect(await recipients()).toEqual([]);
  await application.work();
  expect(server.received).toEqual([]);
});
