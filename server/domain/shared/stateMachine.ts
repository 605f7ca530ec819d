import { DomainError } from './DomainError.ts';

/**
 * Who starts a transition: an integration's owner, a member of staff by role, the order-tracking service's tooling, an operator's back end,
 * or the service itself. The permission table has what else each of them needs.
 */
export type Mover = 'owner' | 'reviewer' | 'administrator' | 'tooling' | 'client' | 'service';

/** One row of a lifecycle: the states from which an action leads, the state to which it leads, who starts it, and what it writes. */
export type Transition<State extends string> = {
  /** None: the lifecycle begins with this action. */
  readonly from: readonly State[];
  /** If there are several, the action returns to the one from which it came, and its caller knows which. */
  readonly to: State | readonly State[];
  readonly by: readonly Mover[];
  /**
   * The other columns that the action writes, by the names of their properties. Each statement that moves a row writes all of them and no
   * others.
   */
  readonly sets: readonly string[];
};

/** A lifecycle as one table. */
export type TransitionTable<State extends string> = Readonly<Record<string, Transition<State>>>;

/** What an action writes besides the state: a value for each column that its row of the table names. */
type Written<Table extends TransitionTable<string>, Action extends keyof Table, Row> = {
  readonly [Column in Table[Action]['sets'][number]]: Column extends keyof Row ? Row[Column] : never;
};

/** An entity's class in which the columns of its lifecycle are read-only, so that only `move` writes them. */
export type HeldByTable<Class, Table extends TransitionTable<string>> = Class extends abstract new (...args: infer Args) => infer Row
  ? new (...args: Args) => Omit<Row, HeldColumn<Table>> & Readonly<Pick<Row, HeldColumn<Table> & keyof Row>>
  : never;
type HeldColumn<Table extends TransitionTable<string>> = 'status' | Table[keyof Table]['sets'][number];

/** The state to which an action leads. Throws `conflict` if the table does not let the action start from this state. */
export function nextState<State extends string, Table extends TransitionTable<State>>(
  table: Table,
  state: State,
  action: keyof Table & string,
  back?: State,
): State {
  const transition = table[action];
  if (!transition?.from.includes(state)) {
    throw new DomainError('conflict', { detail: `${impossibleWords(transition?.from ?? [], state)} Reload the page.` });
  }
  const { to } = transition;
  const targets: readonly State[] = typeof to === 'string' ? [to] : to;
  const target = targets.length === 1 ? targets[0] : targets.find((each) => each === back);
  if (target === undefined) throw new Error(`${action} does not lead back to ${back}.`);
  return target;
}

/** That something can be done `from` certain states alone, and not in this one. */
export function impossibleWords(from: readonly string[], state: string): string {
  const possible = new Intl.ListFormat('en', { type: 'disjunction' }).format(from.map(wordOf));
  return `This is possible only while it is ${possible}; now it is ${wordOf(state)}.`;
}

/** A state within a sentence, after “it is”. The states are adjectives, except for the one that pages call “Sandbox only”. */
export function wordOf(state: string): string {
  return state === 'sandbox' ? 'in the sandbox only' : state.replaceAll('_', ' ');
}

/** Whether the table lets an action start from this state. */
export function mayStart<State extends string>(table: TransitionTable<State>, action: string, state: State): boolean {
  return table[action]?.from.includes(state) ?? false;
}

/**
 * Moves a locked entity: its status and the columns that go with it. Entities keep these columns read-only, so nothing else writes them. If
 * the action does not start from this state, throws `conflict` and changes nothing.
 */
export function move<State extends string, Table extends TransitionTable<State>, Action extends keyof Table & string, Row>(
  table: Table,
  row: Row & { readonly status: State },
  action: Action,
  written: Written<Table, Action, Row>,
  back?: State,
): void {
  Object.assign(row, written, { status: nextState<State, Table>(table, row.status, action, back) });
}

/** The status and the other columns with which an entity begins its lifecycle, for `em.create`. */
export function begin<State extends string, Table extends TransitionTable<State>, Action extends keyof Table & string, Values>(
  table: Table,
  action: Action,
  written: Values & { readonly [Column in Table[Action]['sets'][number]]: unknown },
): Values & { readonly status: Table[Action]['to'] } {
  return { ...written, status: (table[action] as Table[Action]).to };
}
