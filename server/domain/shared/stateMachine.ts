import { DomainError } from './DomainError.ts';

/** A lifecycle as data: action → who may take it, from which states, to which state. */
export type TransitionTable<State extends string, By extends string> = Readonly<
  Record<string, { readonly by: readonly By[]; readonly from: readonly State[]; readonly to: State }>
>;

/** The state after `action`, or `conflict` when the table has no such way from `current`. */
export function nextState<State extends string, By extends string, Table extends TransitionTable<State, By>>(
  table: Table,
  current: State,
  action: keyof Table & string,
  by: By,
): State {
  const row = table[action];
  if (!row?.by.includes(by)) throw new DomainError('forbidden', { detail: `${action} is not an action of the ${by}.` });
  if (!row.from.includes(current)) {
    throw new DomainError('conflict', { detail: `${action} is possible from ${row.from.join(' or ')}, not from ${current}.` });
  }
  return row.to;
}
