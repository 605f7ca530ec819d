import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';

export type ResourceFilters = {
  type: 'order' | 'vehicle' | null;
  status: string | null;
  connectionId: string | null;
  /** A resource ID or its beginning. */
  id: string | null;
};

export const noFilters: ResourceFilters = { type: null, status: null, connectionId: null, id: null };

/** Whether any of the filters is set. */
export function isNarrowed(filters: ResourceFilters): boolean {
  return Object.values(filters).some((value) => value !== null);
}

/** Which resources of the test data are shown. The filters stand in the address, so that it can be kept and sent. */
export function useResourceFilters(): [ResourceFilters, (change: Partial<ResourceFilters>) => void] {
  const [{ type, status, connection, resource }, changeAddress] = useUrlFilters(['type', 'status', 'connection', 'resource'], 'resources');
  const filters: ResourceFilters = {
    type: type === 'order' || type === 'vehicle' ? type : null,
    status: status || null,
    connectionId: connection || null,
    id: resource || null,
  };

  function change(changes: Partial<ResourceFilters>) {
    const next = { ...filters, ...changes };
    changeAddress({ type: next.type ?? '', status: next.status ?? '', connection: next.connectionId ?? '', resource: next.id ?? '' });
  }

  return [filters, change];
}
