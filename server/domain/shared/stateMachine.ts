import { DomainError } from './DomainError.ts';

/**
 * A lifecycle as one table: from which states each action leads where. Several targets: the action goes back to the one of them that it
 * came from, which its caller knows. Who may act is the permission table's.
 */
export type TransitionTable<State extends string> = Readonly<
  Record<string, { readonly from: readonly State[]; readonly to: State | readonly State[] }>
>;

/** The state that an action leads to. Throws `conflict` where the table does not let it start from this one. */
export function nextState<State extends string, Table extends TransitionTable<State>>(
  table: Table,
  state: State,
  action: keyof Table & string,
  back?: State,
): State {
  const transition = table[action];
  if (!transition?.from.includes(state)) {
    throw new DomainError('conflict', {
      detail: `${action} is possible only from ${transition?.from.join(' or ')}; the current state is ${state}.`,
    });
  }
  const targets = [transition.to].flat() as readonly State[];
  const target = targets.length === 1 ? targets[0] : targets.find((each) => each === back);
  if (target === undefined) throw new Error(`${action} does not lead back to ${back}.`);
  return target;
}
