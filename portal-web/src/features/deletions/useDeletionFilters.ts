import { deletionFacts } from '../../../../server/domain/sharing/deletionFacts.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { outstandingDeletions, type DeletionFilters } from './revocationsQuery.ts';

/** Which deletions are shown. The filters stand in the address, so that it can be kept and sent. */
export function useDeletionFilters(): [DeletionFilters, (change: Partial<DeletionFilters>) => void] {
  const [asked, changeAddress] = useUrlFilters(['state', 'revocation']);
  const filters = {
    state: Object.hasOwn(deletionFacts, asked.state) ? (asked.state as DeletionFilters['state']) : outstandingDeletions.state,
    id: asked.revocation || null,
  };

  function change(changes: Partial<DeletionFilters>) {
    const { state, id } = { ...filters, id: null, ...changes };
    changeAddress({ state: state === outstandingDeletions.state ? '' : state, revocation: id ?? '' });
  }

  return [filters, change];
}
