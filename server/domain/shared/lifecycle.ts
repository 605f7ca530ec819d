import type { Transition, TransitionTable } from './stateMachine.ts';

/** A property of a row's columns that tells its state: a test for entities, and a condition with its opposite for SQL. */
type Mark<Column extends string> = {
  readonly columns: readonly Column[];
  readonly holds: (row: Readonly<Record<Column, unknown>>, now: Date) => boolean;
  readonly yes: Condition;
  readonly no: Condition;
};
/** `column` gives a column's name in the statement. `now` is the parameter that holds the present instant, if the statement has one. */
type Condition = (column: (property: string) => string, now: string) => string;

/**
 * A name that this release knows. Tables of facts about what columns hold have one more row, `unknown`, for what only a later release knows:
 * its processes run beside these while it is installed or taken back. No row has that name.
 */
export type Known<Name extends string> = Exclude<Name, 'unknown'>;

/** The names of a table's rows, in its order, without `unknown`. */
export function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Known<Name>[] {
  return Object.keys(table).filter((name) => name !== 'unknown') as Known<Name>[];
}

/** A name that was read from the database, or `unknown`. */
export function nameIn<Name extends string>(table: Readonly<Record<Name | 'unknown', unknown>>, name: Name): Name | 'unknown' {
  return Object.hasOwn(table, name) ? name : 'unknown';
}

/** The facts about a name that was read from the database. */
export function factsIn<Name extends string, Facts>(table: Readonly<Record<Name | 'unknown', Facts>>, name: Name): Facts {
  return table[nameIn(table, name)];
}

/** The column has a value. */
export function isSet<Column extends string>(column: Column): Mark<Column> {
  return {
    columns: [column],
    holds: (row) => row[column] !== null,
    yes: (name) => `${name(column)} is not null`,
    no: (name) => `${name(column)} is null`,
  };
}

/** The counter has reached `most`. */
export function reached<Column extends string>(column: Column, most: number): Mark<Column> {
  return {
    columns: [column],
    holds: (row) => Number(row[column]) >= most,
    yes: (name) => `${name(column)} >= ${most}`,
    no: (name) => `${name(column)} < ${most}`,
  };
}

/** The instant has passed. Instants are dates or PostgreSQL's text. */
export function passed<Column extends string>(column: Column): Mark<Column> {
  return {
    columns: [column],
    holds: (row, now) => new Date(row[column] as Date | string) <= now,
    yes: (name, now) => `${name(column)} <= ${present(now)}`,
    no: (name, now) => `${name(column)} > ${present(now)}`,
  };
}

/** The clock is injected, so a statement never asks the database for the time. */
function present(now: string): string {
  if (now === '') throw new Error('A state that depends on the time needs the parameter with the present instant.');
  return `${now}::timestamptz`;
}

/** The mark holds, and the row does not have the flag. */
export function unless<Flag extends string, Column extends string>(flag: Flag, mark: Mark<Column>): Mark<Flag | Column> {
  return {
    columns: [flag, ...mark.columns],
    holds: (row, now) => row[flag] === false && mark.holds(row, now),
    yes: (name, now) => `not ${name(flag)} and ${mark.yes(name, now)}`,
    no: (name, now) => `(${name(flag)} or ${mark.no(name, now)})`,
  };
}

/** How a statement names the rows: its alias for the table (none for bare columns), and its parameter that holds the present instant. */
type Place = { readonly row?: string; readonly now?: string };

/** A lifecycle in the form that statements need. */
type Lifecycle<State extends string, Table extends TransitionTable<State>, Facts = unknown> = {
  readonly table: string;
  readonly states: readonly State[];
  readonly transitions: Table;
  /** The columns that tell the state. */
  readonly told: readonly string[];
  /** SQL: whether a row is in one of these states. */
  readonly isIn: (states: readonly State[], place?: Place) => string;
  /** SQL: whether a row is in a state of which this holds. */
  readonly where: (holds: (facts: Facts) => boolean, place?: Place) => string;
  /** SQL: whether the action may start from the state that a row is in. */
  readonly mayStart: (action: keyof Table & string, place?: Place) => string;
  /** SQL: what the action writes, for `set`. `values` are expressions, one for each column that the action writes besides the state. */
  readonly sets: <Action extends keyof Table & string>(action: Action, values: Expressions<Table[Action]>) => string;
  /** SQL: the columns that the action begins a row with, the state's included, and what it writes to them, for `insert`. */
  readonly begins: <Action extends keyof Table & string>(action: Action, values: Expressions<Table[Action]>) => Inserted;
};
type Inserted = { readonly columns: string; readonly values: string };
type Expressions<Row extends Transition<string>> = { readonly [Column in Row['sets'][number]]: string };

/** A lifecycle whose state is in one column, which is `status` unless it has another name. */
export function statusLifecycle<Name extends string, Facts, const Table extends TransitionTable<Known<Name>>>(
  table: string,
  facts: Readonly<Record<Name, Facts>>,
  transitions: Table,
  told: 'status' | 'state' = 'status',
): Lifecycle<Known<Name>, Table, Facts> {
  const states = namesOf(facts);
  const isIn = (wanted: readonly Known<Name>[], { row }: Place = {}) => {
    if (wanted.length === 0) return 'false';
    const quoted = wanted.map((state) => `'${state}'`);
    return quoted.length === 1 ? `${columnName(told, row)} = ${quoted[0]}` : `${columnName(told, row)} in (${quoted.join(', ')})`;
  };
  const sets = (action: keyof Table & string, values: Readonly<Record<string, string>>) =>
    [`${told} = '${String(transitions[action]?.to)}'`, ...assignments(values)].join(', ');
  return {
    table,
    states,
    transitions,
    told: [told],
    isIn,
    where: (holds, place) =>
      isIn(
        states.filter((state) => holds(facts[state])),
        place,
      ),
    sets,
    begins: (action, values) => inserted({ [told]: `'${String(transitions[action]?.to)}'`, ...values }),
    mayStart: (action, place) => isIn(transitions[action]?.from ?? [], place),
  };
}

/**
 * A lifecycle whose states are told by marks. The first mark that holds gives the state; if none holds, it is the last state, which has no
 * mark.
 */
type MarkedLifecycle<State extends string, Table extends TransitionTable<State>, Column extends string, Facts> = Lifecycle<
  State,
  Table,
  Facts
> & {
  /** The state of a row, read or locked by the caller. */
  readonly stateOf: (row: Readonly<Record<Column, unknown>>, now: Date) => State;
};

export function markedLifecycle<State extends string, Column extends string, Facts, const Table extends TransitionTable<State>>(
  table: string,
  facts: Readonly<Record<State, Facts>>,
  { marks, otherwise }: { readonly marks: readonly (readonly [State, Mark<Column>])[]; readonly otherwise: State },
  transitions: Table,
): MarkedLifecycle<State, Table, Column, Facts> {
  const isIn = (wanted: readonly State[], { row, now = '' }: Place = {}) => {
    const name = (property: string) => columnName(property, row);
    // Builds the condition from the last state backwards, because each state includes that no earlier mark holds.
    return marks.reduceRight(
      (later, [state, { yes, no }]) => {
        if (wanted.includes(state))
          return later === 'true' ? later : later === 'false' ? yes(name, now) : `(${yes(name, now)} or ${later})`;
        return later === 'false' ? later : later === 'true' ? no(name, now) : `${no(name, now)} and ${later}`;
      },
      String(wanted.includes(otherwise)),
    );
  };
  return {
    table,
    states: [...marks.map(([state]) => state), otherwise],
    transitions,
    told: marks.flatMap(([, { columns }]) => columns),
    isIn,
    where: (holds, place) =>
      isIn(
        namesOf(facts).filter((state) => holds(facts[state])),
        place,
      ),
    sets: (_, values) => assignments(values).join(', '),
    begins: (_, values) => inserted(values),
    mayStart: (action, place) => isIn(transitions[action]?.from ?? [], place),
    stateOf: (row, now) => marks.find(([, { holds }]) => holds(row, now))?.[0] ?? otherwise,
  };
}

function assignments(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([property, expression]) => `${columnName(property)} = ${expression}`);
}

function inserted(values: Readonly<Record<string, string>>): Inserted {
  const columns = Object.keys(values).map((property) => columnName(property));
  return { columns: columns.join(', '), values: Object.values(values).join(', ') };
}

/** Turns `failedAttempts` into `failed_attempts`, with the table's alias before it if there is one. */
export function columnName(property: string, row?: string): string {
  const column = property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return row === undefined ? column : `${row}.${column}`;
}
