import { Checkbox, Text } from '@mantine/core';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { counted } from '../../ui/text/counted.ts';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { Delivery } from './deliveryQueries.ts';
import { eventTypeWords } from '../webhooks/webhookWords.ts';
import { deliveryStateWords, reasonWords } from './deliveryWords.ts';

type DeliveryTableProps = {
  endpointId: string;
  deliveries: readonly Delivery[];
  /** The deliveries that the reader has chosen to replay, or null if none can be chosen. */
  chosen: ReadonlySet<string> | null;
  onChoose: (id: string, chosen: boolean) => void;
};

/** Deliveries, each with its state and why it is in it. */
export function DeliveryTable({ endpointId, deliveries, chosen, onChoose }: DeliveryTableProps) {
  const to = useIntegrationPaths();
  const choose: Column<Delivery> = {
    header: 'Replay',
    cell: ({ id, state, replayedAt }) =>
      isReplayable({ state, replayedAt }) && (
        <Checkbox
          aria-label={`Choose ${id}`}
          checked={chosen?.has(id) ?? false}
          onChange={(event) => onChoose(id, event.currentTarget.checked)}
        />
      ),
  };
  const event: Column<Delivery> = {
    header: 'Event',
    cell: ({ event: { type } }) => <span style={{ whiteSpace: 'nowrap' }}>{eventTypeWords[type].name}</span>,
    to: ({ id }) => to.webhookDelivery(endpointId, id),
  };
  return (
    <DataTable caption="Deliveries" columns={[event, ...columns, ...(chosen ? [choose] : [])]} rows={deliveries} rowKey={({ id }) => id} />
  );
}

/** Whether a delivery can be sent again: what is still under way cannot, nor what a replay has replaced. */
export function isReplayable({ state, replayedAt }: Pick<Delivery, 'state' | 'replayedAt'>): boolean {
  return replayedAt === null && (state === 'dead' || state === 'discarded' || state === 'delivered');
}

const columns: readonly Column<Delivery>[] = [
  {
    header: 'State',
    cell: ({ state }) => (
      <span style={{ whiteSpace: 'nowrap' }}>
        <StatusBadge tone={deliveryStateWords[state].tone}>{deliveryStateWords[state].word}</StatusBadge>
      </span>
    ),
  },
  { header: 'About', breaks: true, cell: (delivery) => <About delivery={delivery} /> },
  {
    header: 'Attempts',
    cell: ({ attemptsCount, nextAttemptAt, state }) => (
      <>
        {attemptsCount === 0 ? 'None yet' : counted(attemptsCount, 'attempt')}
        {state === 'pending' && nextAttemptAt && (
          <Text size="xs" c="dimmed">
            next <Time value={nextAttemptAt} />
          </Text>
        )}
      </>
    ),
  },
  { header: 'Occurred', cell: ({ event: { occurredAt } }) => <Time value={occurredAt} /> },
];

function About({ delivery: { event, state, reason, replayOf, replayedAt } }: { delivery: Delivery }) {
  const words = reasonWords(state, reason);
  const subject = event.resourceId ?? event.connectionId;
  const marks = [event.test && 'test event', replayOf && 'replay', replayedAt && 'replayed since'].filter(Boolean).join(', ');
  return (
    <>
      {subject && <code>{subject}</code>}
      {marks && (
        <Text size="xs" c="dimmed">
          {marks}
        </Text>
      )}
      {words && <Text size="xs">{words}</Text>}
    </>
  );
}
