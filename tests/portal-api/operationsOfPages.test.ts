import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { permissions, type Operation } from '../../server/domain/access/permissions.ts';

/** What people may call and no page asks for, with the reason. */
const askedElsewhere: Readonly<Partial<Record<Operation, string>>> = {
  profileDiff: 'pages show what each version changed; this compares any two of them',
  recordDeletion: 'pages record by recordDeletions, one as well as many',
};

const documents = globSync('portal-web/src/**/*.{ts,tsx}')
  .filter((file) => !file.includes('introspection'))
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/graphql\(\s*`([^`]*)`/g)].map(([, document = '']) => document))
  .join('\n');
const isAsked = (operation: string) => new RegExp(`^\\s*(?:\\w+:\\s*)?${operation}\\b`, 'm').test(documents);

test('what a person may do is done on a page', () => {
  const theirs = (Object.keys(permissions) as Operation[]).filter((operation) => permissions[operation].by !== 'serviceToken');
  const lost = theirs.filter((operation) => !isAsked(operation) && !(operation in askedElsewhere));
  const found = (Object.keys(askedElsewhere) as Operation[]).filter(isAsked);
  expect([
    ...lost.map((operation) => `${operation}: no document in portal-web/src asks for it, so there is nothing on a page that leads to it`),
    ...found.map((operation) => `${operation}: a page asks for it by now, so take it out of this file`),
  ]).toEqual([]);
});
