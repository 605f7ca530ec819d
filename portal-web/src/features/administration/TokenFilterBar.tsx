import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { tokenOrders, type TokenOrder } from './tokenQueries.ts';

type TokenFilterBarProps = {
  environment: 'sandbox' | 'production' | null;
  order: TokenOrder;
  onChange: (changes: { environment?: string; order?: string }) => void;
};

const environments = [
  { value: '', label: 'both' },
  { value: 'sandbox', label: 'sandbox' },
  { value: 'production', label: 'production' },
];
const unset = (order: string) => (order === 'newest' ? '' : order);
const orders = tokenOrders.map(({ value, label }) => ({ value: unset(value), label: label.toLowerCase() }));

/** Which tokens are listed, and in which order. */
export function TokenFilterBar({ environment, order, onChange }: TokenFilterBarProps) {
  return (
    <FilterChips
      label="Filter the tokens"
      choices={[
        { label: 'Environment', value: environment ?? '', options: environments, onChange: (value) => onChange({ environment: value }) },
        { label: 'Order', value: unset(order), options: orders, onChange: (value) => onChange({ order: value }) },
      ]}
      onClear={environment || unset(order) ? () => onChange({ environment: '', order: '' }) : null}
    />
  );
}
