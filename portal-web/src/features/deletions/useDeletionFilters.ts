import { useSearchParams } from 'react-router';
import { filterNavigation } from '../../ui/lists/filterNavigation.ts';

const states = ['outstanding', 'overdue', 'acknowledged'] as const;
const environments = ['sandbox', 'production'] as const;
const orders = ['deadline', 'newest'] as const;

export type DeletionFilters = {
  state: (typeof states)[number];
  environment: (typeof environments)[number] | null;
  order: (typeof orders)[number];
};

/** What of the queue is shown; it stands in the address, so that it can be kept and sent. */
export function useDeletionFilters(): [DeletionFilters, (change: Partial<DeletionFilters>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const state = oneOf(states, parameters.get('state')) ?? 'outstanding';
  const filters = {
    state,
    environment: oneOf(environments, parameters.get('environment')),
    // What is done has no deadline to look at any more.
    order: state === 'acknowledged' ? 'newest' : (oneOf(orders, parameters.get('order')) ?? 'deadline'),
  } as const;

  function change(changes: Partial<DeletionFilters>) {
    const { state: wanted, environment, order } = { ...filters, ...changes };
    const next = new URLSearchParams();
    if (wanted !== 'outstanding') next.set('state', wanted);
    if (environment) next.set('environment', environment);
    if (order !== 'deadline' && wanted !== 'acknowledged') next.set('order', order);
    setParameters(next, filterNavigation);
  }

  return [filters, change];
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | null {
  return values.find((value) => value === text) ?? null;
}
