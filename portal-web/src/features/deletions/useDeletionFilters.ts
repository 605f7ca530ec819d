import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import type { DeletionFilters } from './revocationsQuery.ts';

const states = ['outstanding', 'overdue', 'acknowledged'] as const;

/** Which deletions are shown. The filters stand in the address, so that it can be kept and sent. */
export function useDeletionFilters(): [DeletionFilters, (change: Partial<DeletionFilters>) => void] {
  const [asked, changeAddress] = useUrlFilters(['state', 'revocation']);
  const filters = { state: states.find((state) => state === asked.state) ?? 'outstanding', id: asked.revocation || null } as const;

  function change(changes: Partial<DeletionFilters>) {
    const { state, id } = { ...filters, id: null, ...changes };
    changeAddress({ state: state === 'outstanding' ? '' : state, revocation: id ?? '' });
  }

  return [filters, change];
}
