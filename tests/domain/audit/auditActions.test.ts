import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { auditActions } from '../../../server/domain/audit/auditActions.ts';

test('every action of the audit trail is spelled in one way, and is in the table once', () => {
  expect(auditActions.filter((action) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(action))).toEqual([]);
  expect(auditActions).toEqual([...new Set(auditActions)].toSorted());
});

test('the table has no action that is no longer recorded', async () => {
  const files = (await readdir('server', { recursive: true })).filter((file) => file.endsWith('.ts') && !file.endsWith('auditActions.ts'));
  const source = (await Promise.all(files.map((file) => readFile(`server/${file}`, 'utf8')))).join('\n');
  const decided = (action: string) => /^integration\.(approved|rejected)$/.test(action) && source.includes('`integration.${outcome}`');
  expect(auditActions.filter((action) => !source.includes(`'${action}'`) && !decided(action))).toEqual([]);
});
