import { Button } from '@mantine/core';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import type { Endpoint } from '../webhooks/webhookQueries.ts';

type NoDeliveriesProps = { narrowed: boolean; status: Endpoint['status']; onClear: () => void };

/** Says why an endpoint’s list is empty, and what fills it. */
export function NoDeliveries({ narrowed, status, onClear }: NoDeliveriesProps) {
  if (narrowed) {
    return (
      <EmptyState
        kind="nothingFits"
        title="No deliveries fit these filters."
        action={
          <Button variant="default" size="xs" onClick={onClear}>
            Clear the filters
          </Button>
        }
      />
    );
  }
  if (webhookEndpointFacts[status].receives === 'notYet')
    return (
      <EmptyState kind="nothingYet" title="None yet.">
        Events are kept for this endpoint from its first proof on.
      </EmptyState>
    );
  return (
    <EmptyState kind="nothingYet" title="None yet.">
      The next event of a chosen type appears here within seconds. To see one now, send a test event.
    </EmptyState>
  );
}
