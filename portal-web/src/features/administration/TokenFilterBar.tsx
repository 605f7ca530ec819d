import { Group, NativeSelect } from '@mantine/core';
import { tokenOrders, type TokenOrder } from './tokenQueries.ts';

type TokenFilterBarProps = {
  environment: 'sandbox' | 'production' | null;
  order: TokenOrder;
  onChange: (changes: { environment?: string; order?: string }) => void;
};

/** Which tokens are listed, and in which order. */
export function TokenFilterBar({ environment, order, onChange }: TokenFilterBarProps) {
  return (
    <Group gap="md" align="flex-start">
      <NativeSelect
        label="Environment"
        value={environment ?? ''}
        onChange={(event) => onChange({ environment: event.currentTarget.value })}
        data={[
          { value: '', label: 'Both' },
          { value: 'sandbox', label: 'Sandbox' },
          { value: 'production', label: 'Production' },
        ]}
        flex="0 1 11rem"
      />
      <NativeSelect
        label="Order"
        value={order}
        onChange={(event) => onChange({ order: event.currentTarget.value === 'newest' ? '' : event.currentTarget.value })}
        data={[...tokenOrders]}
        flex="0 1 18rem"
      />
    </Group>
  );
}
