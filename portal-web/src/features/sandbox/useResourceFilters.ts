import { useSearchParams } from 'react-router';
import { filterNavigation } from '../../ui/lists/filterNavigation.ts';

export type ResourceFilters = {
  type: 'order' | 'vehicle' | null;
  status: string | null;
  connectionId: string | null;
  /** An identifier or its beginning. */
  id: string | null;
};

const names = { type: 'type', status: 'status', connectionId: 'connection', id: 'id' } as const satisfies Record<
  keyof ResourceFilters,
  string
>;

/** Which resources of the test data are shown; it stands in the address, so that it can be kept and sent. */
export function useResourceFilters(): [ResourceFilters, (change: Partial<ResourceFilters>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const type = parameters.get('type');
  const filters: ResourceFilters = {
    type: type === 'order' || type === 'vehicle' ? type : null,
    status: parameters.get(names.status),
    connectionId: parameters.get(names.connectionId),
    id: parameters.get(names.id),
  };

  function change(changes: Partial<ResourceFilters>) {
    const next = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...filters, ...changes })) {
      if (value) next.set(names[name as keyof ResourceFilters], value);
    }
    setParameters(next, filterNavigation);
  }

  return [filters, change];
}
