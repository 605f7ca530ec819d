import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';

const states = ['outstanding', 'overdue', 'acknowledged'] as const;
const environments = ['sandbox', 'production'] as const;
const orders = ['deadline', 'newest'] as const;

export type DeletionFilters = {
  state: (typeof states)[number];
  environment: (typeof environments)[number] | null;
  order: (typeof orders)[number];
};

/**
 * Which deletions are shown. The filters stand in the address, so that it can be kept and sent. `usual` is the environment that is shown
 * when nothing else is said, or null for all.
 */
export function useDeletionFilters(usual: DeletionFilters['environment']): [DeletionFilters, (change: Partial<DeletionFilters>) => void] {
  const [asked, changeAddress] = useUrlFilters(['state', 'environment', 'order']);
  const state = oneOf(states, asked.state) ?? 'outstanding';
  const filters = {
    state,
    environment: asked.environment === 'all' ? null : (oneOf(environments, asked.environment) ?? usual),
    // A deletion that is done has no deadline to sort by.
    order: state === 'acknowledged' ? 'newest' : (oneOf(orders, asked.order) ?? 'deadline'),
  } as const;

  function change(changes: Partial<DeletionFilters>) {
    const { state: wanted, environment, order } = { ...filters, ...changes };
    changeAddress({
      state: wanted === 'outstanding' ? '' : wanted,
      environment: environment === usual ? '' : (environment ?? 'all'),
      order: order === 'deadline' || wanted === 'acknowledged' ? '' : order,
    });
  }

  return [filters, change];
}

function oneOf<Value extends string>(values: readonly Value[], text: string): Value | null {
  return values.find((value) => value === text) ?? null;
}
