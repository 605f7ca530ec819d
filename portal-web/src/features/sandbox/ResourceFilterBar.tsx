import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { statusesOf } from './resourceWords.ts';
import { isNarrowed, noFilters, type ResourceFilters } from './useResourceFilters.ts';

type Props = { filters: ResourceFilters; onChange: (change: Partial<ResourceFilters>) => void; types: readonly ('order' | 'vehicle')[] };

const typeOptions = [
  { value: '', label: 'both' },
  { value: 'order', label: 'orders' },
  { value: 'vehicle', label: 'stock vehicles' },
];

/** Filters the list of the test data's resources. */
export function ResourceFilterBar({ filters, onChange, types }: Props) {
  const { type, status, connectionId, id } = filters;
  const statuses = (type ? [type] : types).flatMap((each) => statusesOf[each]);
  const ofType = {
    label: 'Type',
    value: type ?? '',
    options: typeOptions,
    onChange: (value: string) => onChange({ type: (value || null) as ResourceFilters['type'], status: null }),
  };
  const ofStatus = {
    label: 'Status',
    value: status ?? '',
    options: [{ value: '', label: 'any' }, ...statuses.map((value) => ({ value, label: value }))],
    onChange: (value: string) => onChange({ status: value || null }),
  };
  const given = connectionId
    ? [{ label: 'Connection', words: `…${connectionId.slice(-8)}`, onRemove: () => onChange({ connectionId: null }) }]
    : [];
  return (
    <FilterChips
      label="Filter the shared resources"
      choices={types.length > 1 ? [ofType, ofStatus] : [ofStatus]}
      given={given}
      onClear={isNarrowed(filters) ? () => onChange(noFilters) : null}
    >
      <SearchField label="ID" inRow placeholder="ord_… or veh_…" value={id ?? ''} onChange={(value) => onChange({ id: value || null })} />
    </FilterChips>
  );
}
