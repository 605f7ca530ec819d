import { expect } from '@jest/globals';
import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import { columnName } from '../../../server/domain/shared/lifecycle.ts';
import type { TransitionTable } from '../../../server/domain/shared/stateMachine.ts';
import type { World } from '../../support/world/World.ts';

/** A row that was made in one of its states, with the columns by which it is found. */
export type Made = { readonly where: Readonly<Record<string, string | number>> };

/**
 * One command with what it should do, written by hand: from which states it makes which moves, and to which state. It is refused in every
 * other state.
 */
type Run<Row extends Made> = {
  /** Makes the rows for this command, where it needs others than the walk's. */
  readonly make?: (state: string) => Promise<Row>;
  readonly does: Readonly<Record<string, { readonly actions: readonly string[]; readonly to: string }>>;
  command(row: Row): Promise<unknown>;
  /** Columns outside the lifecycle that the command writes as well. */
  readonly besides?: readonly string[];
};

type AnyLifecycle = {
  readonly table: string;
  readonly states: readonly string[];
  readonly transitions: TransitionTable<string>;
  isIn(this: void, states: readonly string[], place: { row: string; now: string }): string;
};

/** A lifecycle, with a function that makes a row in any state, and every command that moves rows. */
export type Walk<Row extends Made = Made> = {
  readonly lifecycle: AnyLifecycle;
  readonly make: (state: string) => Promise<Row>;
  readonly runs: Readonly<Record<string, Run<Row>>>;
};

/** A row as the database has it, with the states that it is in according to the lifecycle's own conditions. */
async function rowOf({ fixtures }: World, { lifecycle }: Pick<Walk, 'lifecycle'>, where: Made['where'], now: Date) {
  const { table, states, isIn } = lifecycle;
  const columns = Object.keys(where);
  const held = states.map((state) => isIn([state], { row: 't', now: `$${columns.length + 1}` }));
  const [found] = await fixtures.sql.unsafe<{ row: Record<string, unknown>; held: boolean[] }[]>(
    `select to_jsonb(t) as row, array[${held.join(', ')}] as held, $${columns.length + 1}::timestamptz as at from ${table} t
      where ${columns.map((column, index) => `t.${column} = $${index + 1}`).join(' and ')}`,
    [...Object.values(where), now],
  );
  if (!found) throw new Error(`There is no such row of ${table}.`);
  return { row: found.row, states: states.filter((_, index) => found.held[index]) };
}

/**
 * Runs one command on one row of each state. Expects it to move the rows that the lifecycle's table lets it move, to write only the columns
 * that the table names, and to leave every other row as it is. Returns the moves that took place, as `action from`.
 */
export async function walkCommand<Row extends Made>(world: World, walk: Walk<Row>, name: string, now: Date): Promise<string[]> {
  const run = walk.runs[name];
  if (!run) throw new Error(`There is no command ${name}.`);
  const moves: string[] = [];
  for (const state of walk.lifecycle.states) {
    const made = await (run.make ?? walk.make)(state);
    const before = await rowOf(world, walk, made.where, now);
    expect([name, state, before.states]).toEqual([name, state, [state]]);
    await run.command(made).catch((error: unknown) => {
      if (!(error instanceof DomainError) && !(error instanceof Interruption)) throw error;
    });
    const after = await rowOf(world, walk, made.where, now);
    const changed = Object.keys(after.row).filter((column) => JSON.stringify(after.row[column]) !== JSON.stringify(before.row[column]));
    const does = run.does[state];
    const { actions, to } = does ?? { actions: [], to: state };
    const written = actions.flatMap((action) => walk.lifecycle.transitions[action]?.sets ?? []).map((column) => columnName(column));
    expect([name, state, after.states]).toEqual([name, state, [to]]);
    expect([name, state, changed.filter((column) => ![...written, 'status', ...(run.besides ?? [])].includes(column))]).toEqual([
      name,
      state,
      [],
    ]);
    // If the command may move the row, it has done so, which shows in a column that the table names.
    expect([name, state, changed.some((column) => [...written, 'status'].includes(column))]).toEqual([name, state, does !== undefined]);
    moves.push(...actions.map((action) => `${action} ${state}`));
  }
  return moves;
}

/** Interrupts a command, to see what it has done until then. */
export class Interruption extends Error {}

/** The moves that a lifecycle's table allows, except for its beginning. */
export function movesOf({ lifecycle }: Pick<Walk, 'lifecycle'>): string[] {
  return Object.entries(lifecycle.transitions).flatMap(([action, { from }]) => from.map((state) => `${action} ${state}`));
}
