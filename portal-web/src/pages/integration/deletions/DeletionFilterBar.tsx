import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { outstandingDeletions, type DeletionFilters, type RevocationPage } from './revocationsQuery.ts';

const { state: usual } = outstandingDeletions;

type Props = {
  filters: DeletionFilters;
  onChange: (change: Partial<DeletionFilters>) => void;
  page: Pick<RevocationPage, 'outstandingCount' | 'overdueCount'>;
};

/** Which revocations are listed: those of a state, or the one that a link names, whatever its state. */
export function DeletionFilterBar({ filters: { state, id }, onChange, page: { outstandingCount, overdueCount } }: Props) {
  const states = [
    { value: '', label: `outstanding (${outstandingCount.toLocaleString('en')})` },
    { value: 'overdue', label: `overdue (${overdueCount.toLocaleString('en')})` },
    { value: 'acknowledged', label: 'done' },
  ];
  const choice = {
    label: 'State',
    value: state === usual ? '' : state,
    options: states,
    onChange: (value: string) => onChange({ state: (value || usual) as DeletionFilters['state'] }),
  };
  return (
    <FilterChips
      label="Filter the deletions"
      choices={id === null ? [choice] : []}
      given={id === null ? [] : [{ label: 'Revocation', words: `…${id.slice(-8)}`, onRemove: () => onChange({ id: null }) }]}
      onClear={id !== null || state !== usual ? () => onChange(outstandingDeletions) : null}
    />
  );
}
