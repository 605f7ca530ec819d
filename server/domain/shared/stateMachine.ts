import { DomainError } from './DomainError.ts';

/** A lifecycle as one table: from which states each action leads where. Who may act is the permission table's. */
export type TransitionTable<State extends string> = Readonly<Record<string, { readonly from: readonly State[]; readonly to: State }>>;

/** The state that an action leads to. Throws `conflict` where the table does not let it start from this one. */
export function nextState<State extends string, Table extends TransitionTable<State>>(
  table: Table,
  state: State,
  action: keyof Table & string,
): State {
  const transition = table[action];
  if (transition?.from.includes(state)) return transition.to;
  throw new DomainError('conflict', { detail: `${action} starts from ${transition?.from.join(' or ')}; the present state is ${state}.` });
}
