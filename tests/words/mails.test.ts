import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { mailKindRules, mailKinds } from '../../server/domain/notification/mailKinds.ts';
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
