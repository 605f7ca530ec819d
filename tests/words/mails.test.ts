import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type MailKind, mailKindRules, mailKinds } from '../../server/domain/notification/mailKinds.ts';
import { alwaysMailed, mailSubjects } from '../../server/domain/notification/words/mailSubjects.ts';
import { unsaid } from '../support/words/unsaid.ts';

test('every kind of mail is queued somewhere', () => {
  const files = readdirSync('server/domain', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const queueing = files
    .map((file) => readFileSync(`server/domain/${file}`, 'utf8'))
    .filter((text) => /\bnotify(?:Staff)?\(|queue_mail\(/.test(text));
  const unsent = mailKinds.filter((kind) => !queueing.some((text) => text.includes(`'${kind}'`)));
  expect(unsent.map((kind) => `${kind}: no command calls notify() or notifyStaff() with this kind`)).toEqual([]);
});

/** The test that has each mail sent by its cause and fails if that does not: its file, and words of it. */
const shown: Readonly<Record<MailKind, readonly [file: string, words: string]>> = {
  registration: ['tests/portal-api/account/registration.test.ts', "expect(toUnknown[0]?.subject).toBe('Confirm your address')"],
  new_passkey: [
    'tests/portal-api/account/passkeys.test.ts',
    '(await operator.mails())[0]).toMatchObject({ subject: expect.stringMatching(/passkey/i) })',
  ],
  passkey_removed: ['tests/portal-api/account/passkeys.test.ts', "subject: 'A passkey was removed from your account'"],
  recovery_used: ['tests/portal-api/account/recovery.test.ts', 'expect(used?.subject).toMatch(/recovery code/i)'],
  recovery_codes_made: ['tests/portal-api/account/recovery.test.ts', "toBe('You have new recovery codes')"],
  session_stolen: ['tests/portal-api/account/sessions.test.ts', '/session/i.test(subject)'],
  email_change_current: ['tests/portal-api/account/emailChange.test.ts', 'current: await tokenFor(former)'],
  email_change_new: ['tests/portal-api/account/emailChange.test.ts', 'new: await tokenFor(next)'],
  email_changed: ['tests/portal-api/account/emailChange.test.ts', "toBe('The address of your account has changed')"],
  account_deleted: ['tests/portal-api/account/deleteAccount.test.ts', "toBe('Your account has been deleted')"],
  account_locked: ['tests/portal-api/account/lockAccount.test.ts', "subject: 'Your account is locked'"],
  account_unlocked: ['tests/portal-api/account/lockAccount.test.ts', "subject: 'Your account is unlocked'"],
  account_reset_requested: [
    'tests/portal-api/account/accountReset.test.ts',
    "toBe('Somebody says that you have lost access to your account')",
  ],
  account_reset_approved: ['tests/portal-api/account/accountReset.test.ts', "toBe('Your account will be reset in 72 hours')"],
  account_reset_cancelled: ['tests/portal-api/account/accountReset.test.ts', "toBe('The reset of your account was cancelled')"],
  account_reset_ready: ['tests/portal-api/account/accountReset.test.ts', "toEqual(['You can create a new passkey for your account'"],
  account_reset_used: ['tests/portal-api/account/accountReset.test.ts', "toBe('Your account has been reset')"],
  terms_published: ['tests/portal-api/integration/terms.test.ts', "from mail where kind = 'terms_published'`"],
  submission_approved: ['tests/portal-api/integration/stateTable.test.ts', "mails: ['submission_approved']"],
  submission_rejected: ['tests/portal-api/integration/stateTable.test.ts', "mails: ['submission_rejected']"],
  review_question: ['tests/portal-api/review/review.test.ts', "subject: 'The reviewers have a question: Order Board'"],
  certificate_expiring: ['tests/workers/expiryAndQuotaMails.test.ts', "(await told('certificate_expiring'))[0]?.details).toEqual("],
  certificate_end_restored: ['tests/domain/certificate/overlap.test.ts', "from mail where kind = 'certificate_end_restored'"],
  p12_expired: ['tests/domain/certificate/p12/p12.test.ts', "toEqual(['p12_expired'])"],
  p12_blocked: ['tests/domain/certificate/p12/p12.test.ts', "toEqual(['p12_blocked'])"],
  certificate_renewal: ['tests/rest-api/certificateRenewal.test.ts', "['certificate_renewal', renewal]"],
  certificates_revoked: ['tests/portal-api/administration/certificates.test.ts', "from mail where kind = 'certificates_revoked'"],
  quota_reached: ['tests/workers/expiryAndQuotaMails.test.ts', "(await told('quota_reached'))[0]).toMatchObject("],
  webhook_failing: ['tests/domain/webhook/alert/alerts.test.ts', "(await told('webhook_failing'))[0]?.details).toEqual("],
  webhook_dead_letters: ['tests/domain/webhook/alert/alerts.test.ts', "(await told('webhook_dead_letters'))"],
  webhook_paused: ['tests/domain/administration/webhookEndpoints.test.ts', "{ kind: 'webhook_paused', details: {"],
  webhook_resumed: ['tests/domain/administration/webhookEndpoints.test.ts', "{ kind: 'webhook_resumed', details: {"],
  deletion_warning: ['tests/workers/deletionDeadlines.test.ts', "toEqual(['deletion_warning'])"],
  integration_suspended: ['tests/portal-api/integration/stateTable.test.ts', "mails: ['integration_suspended']"],
  integration_reactivated: ['tests/portal-api/integration/whoIsTold.test.ts', "mails(owner, 'integration_reactivated')).toMatchObject("],
  gate_moved: ['tests/portal-api/integration/whoIsTold.test.ts', "(await mails(owner, 'gate_moved')).slice(before)).toEqual("],
  role_granted: ['tests/portal-api/integration/whoIsTold.test.ts', "mails(colleague, 'role_granted')).toMatchObject("],
  role_withdrawn: ['tests/portal-api/integration/whoIsTold.test.ts', "mails(colleague, 'role_withdrawn')).toMatchObject("],
  integration_retired: ['tests/portal-api/integration/whoIsTold.test.ts', "(await mails(owner, 'integration_retired')).at(-1)).toEqual("],
  submission_received: ['tests/portal-api/review/review.test.ts', 'mailTo(colleague, `New submission: ${name}`)'],
  question_answered: ['tests/portal-api/review/review.test.ts', 'mailTo(staff, `Question answered: ${name}`)'],
  business_model_reported: ['tests/portal-api/review/review.test.ts', "const subject = 'Change of business model: Order Board'"],
  suspension_made: ['tests/portal-api/integration/whoIsTold.test.ts', "mails(other, 'suspension_made')).toEqual("],
  deletions_overdue: ['tests/workers/deletionDeadlines.test.ts', "toEqual([{ kind: 'deletions_overdue', details:"],
  account_reset_waiting: [
    'tests/portal-api/account/accountReset.test.ts',
    "const told = 'The reset of an account waits for a second administrator'",
  ],
};

test.each(Object.entries(shown))('a test shows that the cause of %s has it sent', (_, [file, words]) => {
  expect(unsaid(file, words)).toEqual([]);
});

test('every subject of the mails that are always sent has a mail', () => {
  const told = new Set<string>(Object.values(mailKindRules).flatMap((rule) => (rule.topic === null ? [rule.about] : [])));
  expect(Object.keys(mailSubjects).filter((subject) => !told.has(subject))).toEqual([]);
});

test('the guide says what everybody is always mailed about, in the words of the page', () => {
  expect(unsaid('docs/guides/account.md', alwaysMailed)).toEqual([]);
});

test('“Emails” says about which of their own acts people are mailed', () => {
  const own = Object.values(mailSubjects).filter(({ tellsOwnActs }) => tellsOwnActs);
  const words = own.map((subject) => subject.words.replace('you ', 'they ').replace('your ', 'their '));
  expect(unsaid('### Emails', `about ${new Intl.ListFormat('en', { type: 'conjunction' }).format(words)} (`)).toEqual([]);
});

type Optional = { [Kind in MailKind]: (typeof mailKindRules)[Kind]['topic'] extends null ? never : Kind }[MailKind];
/** Where the specification says when each mail that can be switched off is sent. What is always sent has a subject, which the guide lists. */
const told: Readonly<Record<Optional, readonly [section: string, says: string]>> = {
  submission_approved: ['### Decisions', 'The owner is told of each by email'],
  submission_rejected: ['### Decisions', 'The owner is told of each by email'],
  review_question: ['### Submissions', 'passes the turn to the owner, who is emailed'],
  certificate_expiring: ['### Rotation', 'Owners are told 30, 14, 7 and 1 days before a certificate stops working'],
  certificate_end_restored: ['### Rotation', 'show it at once, and the owner is mailed'],
  p12_expired: ['### P12 packages', 'its slot is free, and the owner gets an email'],
  quota_reached: ['### Quotas', 'Owners are told by email when 80 % and 100 % of an hourly quota are used'],
  webhook_failing: ['### Alerts', 'Owners are mailed (topic “webhooks”) when every attempt at an active endpoint has failed for'],
  webhook_dead_letters: ['### Alerts', 'and when dead letters wait that were not there at the last mail'],
  submission_received: ['### Emails', 'reviewers are told of submissions'],
  question_answered: ['### Emails', 'reviewers are told of submissions, answers'],
  business_model_reported: ['### Emails', 'reviewers are told of submissions, answers and reports of business models'],
  suspension_made: ['### Suspension', 'the other administrators get the reason by email'],
  deletions_overdue: ['### Deletion deadlines', 'Administrators are told of each suspension, and of other overdue deletions once a day'],
  account_reset_waiting: ['### Lost accounts', 'the other administrators are told of each request by email'],
};

test.each(Object.entries(told))('the specification says when %s is sent', (_, [section, says]) => {
  expect(unsaid(section, says)).toEqual([]);
  // A rule about the cause alone does not say that anybody hears of it.
  expect(says).toMatch(/mail|\btold\b/);
});
