import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { corpusLifecycle } from '../../../server/domain/sandbox/corpusStatus.ts';
import { columnName } from '../../../server/domain/shared/lifecycle.ts';
import type { TransitionTable } from '../../../server/domain/shared/stateMachine.ts';
import { linkCodeLifecycle } from '../../../server/domain/sharing/linkCodeStatus.ts';
import { revocationLifecycle } from '../../../server/domain/sharing/revocationStatus.ts';
import { SharingCommands } from '../../support/feed/sharingCommands.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';
import { certificateWalk } from './certificateWalk.ts';
import { corpusWalk } from './corpusWalk.ts';
import { linkCodeWalk } from './linkCodeWalk.ts';
import { p12Walk } from './p12Walk.ts';
import { revocationWalk } from './revocationWalk.ts';
import { lifecycles } from './statusWrites.ts';
import { submissionWalk } from './submissionWalk.ts';
import { servedStates } from './servedStates.ts';
import { movesOf, walkCommand, type Walk } from './Walk.ts';
import { webhookEndpointWalk } from './webhookEndpointWalk.ts';

let world: World;
let sharing: SharingCommands;
const walks: Record<string, Walk> = {};
beforeAll(async () => {
  world = await openWorld();
  sharing = new SharingCommands(world);
  const authority = await world.fixtures.authorities();
  walks['certificate'] = certificateWalk(world, authority, sharing.now);
  walks['package'] = p12Walk(world, authority, sharing.now);
  walks['submission'] = submissionWalk(world, sharing.now);
  walks['link code'] = linkCodeWalk(world, sharing);
  walks['revocation'] = revocationWalk(world, sharing);
  walks['corpus'] = corpusWalk(world, sharing.now);
  walks['webhook endpoint'] = webhookEndpointWalk(world, sharing.now);
});
afterAll(() => world.close());

test.each(['certificate', 'package', 'submission', 'link code', 'revocation', 'corpus', 'webhook endpoint'])(
  'whatever a user’s %s is, each command moves it as its table says, and leaves it alone where the table says nothing',
  async (name) => {
    const walk = walks[name]!;
    const moves: string[] = [];
    for (const command of Object.keys(walk.runs)) moves.push(...(await walkCommand(world, walk, command, sharing.now)));
    expect([...new Set(moves)].sort()).toEqual(movesOf(walk).sort());
  },
);

/** What the columns that tell a state can hold. The present moment lies between the two instants. */
const instants = [null, '2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];
const told: Readonly<Record<string, readonly unknown[]>> = {
  failedAttempts: [0, 4, 5],
  expiresAt: instants.slice(1),
  deletionDeadlineAt: instants.slice(1),
  fixture: [false, true],
};
const between = new Date('2026-02-01T00:00:00.000Z');

/** Every subset of these. */
const subsetsOf = <Item>([first, ...rest]: readonly Item[]): Item[][] => {
  if (first === undefined) return [[]];
  return subsetsOf(rest).flatMap((subset) => [subset, [first, ...subset]]);
};
/** Rows with every value in every column. */
const rowsOf = ([first, ...rest]: readonly string[]): Record<string, unknown>[] => {
  if (first === undefined) return [{}];
  return rowsOf(rest).flatMap((row) => (told[first] ?? instants).map((value) => ({ ...row, [first]: value })));
};
type Marked = {
  readonly table: string;
  readonly states: readonly string[];
  readonly told: readonly string[];
  isIn(this: void, states: readonly string[], place: { row: string; now: string }): string;
  stateOf(this: void, row: Record<string, unknown>, now: Date): string;
};

test.each<Marked>([corpusLifecycle, linkCodeLifecycle, revocationLifecycle] as unknown as Marked[])(
  'a user’s $table is in the same state for the code and for the database, whatever its columns hold',
  async ({ table, states, told: columns, isIn, stateOf }) => {
    const subsets = subsetsOf(states);
    const conditions = subsets.map((subset) => isIn(subset, { row: 't', now: '$2' }));
    const seen = new Set<string>();
    for (const row of rowsOf(columns)) {
      const state = stateOf(row, between);
      const stored = Object.fromEntries(Object.entries(row).map(([property, value]) => [columnName(property), value]));
      const [found] = await world.fixtures.sql.unsafe<{ held: boolean[] }[]>(
        `select array[${conditions.join(', ')}] as held, $2::timestamptz as at from jsonb_populate_record(null::${table}, $1::text::jsonb) t`,
        [JSON.stringify(stored), between],
      );
      expect([row, found?.held]).toEqual([row, subsets.map((subset) => subset.includes(state))]);
      seen.add(state);
    }
    expect([...seen].sort()).toEqual([...states].sort());
  },
);

test('the database knows every column that goes with a user’s move, and no other status than the tables', async () => {
  const columns = await world.fixtures.sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`;
  const checks = await world.fixtures.sql<{ table: string; check: string }[]>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as check from pg_constraint where contype = 'c'`;
  for (const { table, states, transitions, told: telling } of lifecycles) {
    const named = Object.values(transitions as TransitionTable<string>).flatMap(({ sets }) => sets);
    const known = new Set(columns.filter((each) => each.table === table).map(({ column }) => column));
    expect([table, [...telling, ...named].map((property) => columnName(property)).filter((column) => !known.has(column))]).toEqual([
      table,
      [],
    ]);
    const allowed = checks.filter((each) => each.table === table && /^CHECK \(\((status|state) = ANY/.test(each.check));
    const words = allowed.flatMap(({ check }) => [...check.matchAll(/'(\w+)'::text/g)].map(([, word]) => word));
    expect([table, words.sort()]).toEqual([
      table,
      telling.some((property) => ['status', 'state'].includes(property)) ? [...states].sort() : [],
    ]);
  }
});

test('a partial index has the user’s rows of those statuses of which its fact holds', async () => {
  const indexes = await world.fixtures.sql<{ table: string; name: string; condition: string }[]>`
    select indrelid::regclass::text as table, indexrelid::regclass::text as name, pg_get_expr(indpred, indrelid) as condition
      from pg_index where indpred is not null`;
  const found: Record<string, readonly string[]> = {};
  for (const { table, name, condition } of indexes) {
    const lifecycle = lifecycles.find((each) => each.table === table);
    const [about] = condition.match(/\((status|state) (=|<>) ('\w+'::text|ANY \(ARRAY\[[^\]]*\]\))\)/) ?? [];
    if (!lifecycle || about === undefined) continue;
    const values = lifecycle.states.map((state) => `('${state}')`).join(', ');
    const rows = await world.fixtures.sql.unsafe<{ state: string }[]>(
      `select state from (values ${values}) v(state) where ${about.replace('status', 'state')}`,
    );
    found[name] = rows.map(({ state }) => state).sort();
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(servedStates).map(([name, states]) => [name, [...states].sort()])));
});
