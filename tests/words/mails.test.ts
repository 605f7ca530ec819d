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
  webhook_failing: ['### Alerts', 'when every attempt at an active endpoint has failed for'],
  webhook_dead_letters: ['### Alerts', 'when dead letters wait that were not there at the last mail'],
  submission_received: ['### Emails', 'reviewers are told of submissions'],
  question_answered: ['### Emails', 'reviewers are told of submissions, answers'],
  business_model_reported: ['### Emails', 'reports of business models'],
  suspension_made: ['### Suspension', 'the other administrators get the reason by email'],
  deletions_overdue: ['### Deletion deadlines', 'Administrators are told of each suspension, and of other overdue deletions once a day'],
  account_reset_waiting: ['### Lost accounts', 'the other administrators are told of each request by email'],
};

test.each(Object.entries(told))('the specification says when %s is sent', (_, [section, says]) => {
  expect(unsaid(section, says)).toEqual([]);
});
