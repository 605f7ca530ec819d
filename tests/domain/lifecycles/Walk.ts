import { expect } from '@jest/globals';
import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import { columnName } from '../../../server/domain/shared/lifecycle.ts';
import type { TransitionTable } from '../../../server/domain/shared/stateMachine.ts';
import type { World } from '../../support/world/World.ts';

/** A row in one of its states, and where it is. */
export type Made = { readonly where: Readonly<Record<string, string | number>> };

/** One command with what it is to do, written by hand: from which states it makes which moves, to which state. Every other state refuses it. */
export type Run<Row extends Made> = {
  /** Makes its rows, where it needs others. */
  readonly make?: (state: string) => Promise<Row>;
  readonly does: Readonly<Record<string, { readonly actions: readonly string[]; readonly to: string }>>;
  command(row: Row): Promise<unknown>;
  /** What else the command writes to the row, which is no part of its lifecycle. */
  readonly besides?: readonly string[];
};

type AnyLifecycle = {
  readonly table: string;
  readonly states: readonly string[];
  readonly transitions: TransitionTable<string>;
  isIn(this: void, states: readonly string[], place: { row: string; now: string }): string;
};

/** A lifecycle with a maker of rows in each state, and every command that moves them. */
export type Walk<Row extends Made = Made> = {
  readonly lifecycle: AnyLifecycle;
  readonly make: (state: string) => Promise<Row>;
  readonly runs: Readonly<Record<string, Run<Row>>>;
};

/** A row as the database has it, with the states in which it is by the lifecycle's own conditions. */
export async function rowOf({ fixtures }: World, { lifecycle }: Pick<Walk, 'lifecycle'>, where: Made['where'], now: Date) {
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
 * Runs one command on one row of each state. It moves what its row of the table lets it move, writing no column but those that the table
 * names, and leaves every other row as it is. Returns the moves that took place, as `action from`.
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
    // A command that may move it has done so: something that the table names is written.
    expect([name, state, changed.some((column) => [...written, 'status'].includes(column))]).toEqual([name, state, does !== undefined]);
    moves.push(...actions.map((action) => `${action} ${state}`));
  }
  return moves;
}

/** Ends a command before its end, to see what it did until then. */
export class Interruption extends Error {}

/** The moves that a lifecycle's table allows, but for its beginning. */
export function movesOf({ lifecycle }: Pick<Walk, 'lifecycle'>): string[] {
  return Object.entries(lifecycle.transitions).flatMap(([action, { from }]) => from.map((state) => `${action} ${state}`));
}
