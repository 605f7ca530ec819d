import { readdir, readFile } from 'node:fs/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { expect, test } from '@jest/globals';
import { lockOrder, locking, noteLock, watchLockOrder } from '../../../server/domain/shared/locks.ts';

/** Where locks are taken outside the order, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  'server/domain/shared/locks.ts': 'the order itself',
  'server/domain/retention/retention.ts': 'skips what is locked, so it waits for nobody',
  'server/domain/attention/judgeHealth.ts': 'skips what is locked, so it waits for nobody',
  'server/database/migration/migrationSession.ts': 'held by the session that migrates',
  'workers/abandonedJobs.ts': 'held by a connection for as long as a worker lives',
  'workers/webhooks/connections.ts': 'held by a connection for as long as it leads',
};

const inTransaction = () => {
  const transaction = {};
  return { getTransactionContext: () => transaction } as unknown as EntityManager;
};

test('locks are taken in their order, and the same one as often as somebody likes', () => {
  watchLockOrder();
  const tx = inTransaction();
  for (const lock of lockOrder) {
    noteLock(tx, lock);
    noteLock(tx, lock);
  }
});

test('taking a lock after one that comes later is an error, and another transaction is not concerned', () => {
  watchLockOrder();
  const tx = inTransaction();
  noteLock(tx, 'client');
  noteLock(tx, 'feed');
  expect(() => noteLock(tx, 'trackedResource')).toThrow('The lock “trackedResource” is taken after “feed”');
  noteLock(inTransaction(), 'trackedResource');
});

test('a statement says in its own clause how it locks', () => {
  const statement = locking('client', 'no key update of k', (clause) => `select 1 from client k ${clause}`);
  expect(statement).toEqual({ lock: 'client', text: 'select 1 from client k for no key update of k' });
});

test('nobody locks but by the table of locks', async () => {
  const found: string[] = [];
  for (const folder of ['server', 'rest-api', 'workers']) {
    for (const name of await readdir(folder, { recursive: true })) {
      const file = `${folder}/${name}`;
      // Functions of the database lock for themselves.
      if (!name.endsWith('.ts') || name.endsWith('.function.ts')) continue;
      const text = await readFile(file, 'utf8');
      if (/\bfor (no key update|update|key share|share)\b|pg_(try_)?advisory|lockMode/i.test(withoutComments(text))) found.push(file);
    }
  }
  expect(found.sort()).toEqual(Object.keys(elsewhere).sort());
});

/** Comments may say “for update”. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
