import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PostgresPair } from '../../bench/drills/PostgresPair.ts';
import { createOrm, type Orm } from '../../server/database/orm.ts';
import { Standby } from '../../server/database/Standby.ts';
import { examineStandby } from '../../server/doctor/standby.ts';
import { DomainError } from '../../server/domain/shared/DomainError.ts';
import { sql } from '../../server/domain/shared/sql.ts';
import { createLogger } from '../../server/platform/logger.ts';
import type { IntegrationData } from '../support/clients/portalClient.ts';
import { createRunFolder } from '../support/run/runFolders.ts';
import { openWorld } from '../support/world/openWorld.ts';
import { patient } from '../support/patience.ts';

let folder: string;
let pair: PostgresPair;
let primary: Orm;
let standby: Orm;
const logged: string[] = [];
const logger = createLogger('test', 'info', { write: (line) => void logged.push(line) });

beforeAll(async () => {
  folder = await createRunFolder();
  pair = await PostgresPair.open(join(folder, 'pair'));
  await pair.addStandby();
  [primary, standby] = await Promise.all([
    createOrm(pair.primary.url()),
    createOrm(pair.standby.url(), { name: 'portal-standby', connectedWithin: patient(1_000) }),
  ]);
});
afterAll(async () => {
  await Promise.all([primary?.close(true), standby?.close(true)]);
  await pair?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Whether a read was answered by the standby. */
const wasAway = async (reads: Standby): Promise<boolean | undefined> => {
  // What has just been committed has just been replayed.
  await sql(primary.em.fork(), 'create table if not exists change (); drop table change');
  return reads.read(primary.em.fork(), async (em) => {
    const [row] = await sql<{ away: boolean }>(em, 'select pg_is_in_recovery() as away');
    return row?.away;
  });
};

test('a standby that follows is read, and one that is too far behind is not', async () => {
  expect(await wasAway(new Standby(standby, logger))).toBe(true);
  expect(await wasAway(new Standby(standby, logger, { most: '0 seconds' }))).toBe(false);
  // A primary has replayed nothing.
  expect(await wasAway(new Standby(primary, logger))).toBe(false);
});

test('what the standby refuses, the primary decides: it may only not have arrived', async () => {
  const asked: boolean[] = [];
  const answer = await new Standby(standby, logger).read(primary.em.fork(), async (em) => {
    const [row] = await sql<{ away: boolean }>(em, 'select pg_is_in_recovery() as away');
    asked.push(row?.away ?? false);
    if (row?.away) throw new DomainError('not_found');
    return 'found';
  });
  expect([answer, asked]).toEqual(['found', [true, false]]);
});

test('the portal reads request logs, usage and the audit trail from there, and nothing that somebody waits for or decides by', async () => {
  const read: string[] = [];
  const world = await openWorld({
    portal: {
      standby: {
        read: (em, reads) => {
          read.push('read');
          return reads(em);
        },
      },
    },
  });
  try {
    const operator = await world.operator();
    const { slug, clientId } = await operator.createIntegration();
    await operator.must<IntegrationData>('integration', { slug });
    await operator.graphql('query ($clientId: ID!) { requests(clientId: $clientId, within: 60) { edges { cursor } } }', { clientId });
    expect(read).toEqual([]);
    await operator.must('usage', { clientId, period: 'day' });
    await operator.graphql('query ($clientId: ID!) { requests(clientId: $clientId) { edges { cursor } } }', { clientId });
    await operator.must('auditTrail', { own: true });
    expect(read).toEqual(['read', 'read', 'read']);
  } finally {
    await world.close();
  }
});

const examined = (url: string | undefined, production = false) =>
  examineStandby({ config: { standbyDatabaseUrl: url, production, databaseRolePrefix: 'oi' } });

test('the doctor has nothing to say of a standby that follows, and names a primary and a role that is refused', async () => {
  expect(await examined(undefined)).toEqual([]);
  expect(await examined(pair.standby.url())).toEqual([]);
  const told = { severity: 'warning', words: expect.stringMatching(/^STANDBY_DATABASE_URL: leads to a server that is no standby/) };
  expect(await examined(pair.primary.url())).toEqual([expect.objectContaining(told)]);
  const refused = { severity: 'wrong', words: expect.stringMatching(/^STANDBY_DATABASE_URL connects as /) };
  expect(await examined(pair.standby.url(), true)).toEqual([expect.objectContaining(refused)]);
});

test('a standby that is gone is told once, and left alone for a while', async () => {
  const reads = new Standby(standby, logger);
  await pair.standby.kill();
  // No commit is answered while a synchronous standby is away.
  const ask = () =>
    reads.read(primary.em.fork(), async (em) => (await sql<{ away: boolean }>(em, 'select pg_is_in_recovery() as away'))[0]?.away);
  expect([await ask(), await ask()]).toEqual([false, false]);
  expect(logged.filter((line) => line.includes('standby.unavailable')).length).toBe(1);
  const told = { severity: 'warning', words: expect.stringMatching(/^STANDBY_DATABASE_URL: the server cannot be reached/) };
  expect(await examined(pair.standby.url())).toEqual([expect.objectContaining(told)]);
});
