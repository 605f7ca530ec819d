import { Anchor } from '@mantine/core';
import { Empty } from '../../ui/states/Empty.tsx';
import type { Endpoint } from '../webhooks/webhookQueries.ts';

type NoDeliveriesProps = { narrowed: boolean; status: Endpoint['status']; onClear: () => void };

/** Says why an endpoint’s list is empty, and what fills it. */
export function NoDeliveries({ narrowed, status, onClear }: NoDeliveriesProps) {
  if (narrowed) {
    return (
      <Empty>
        No deliveries fit these filters.{' '}
        <Anchor component="button" type="button" inherit onClick={onClear}>
          Clear the filters
        </Anchor>
      </Empty>
    );
  }
  if (status === 'registered') return <Empty>None yet. Events are kept for this endpoint from its first proof on.</Empty>;
  return <Empty>None yet. The next event of a chosen type appears here within seconds. To see one now, send a test event.</Empty>;
}
