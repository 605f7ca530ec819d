import { Text } from '@mantine/core';
import { deliveryFacts } from '../../../../server/domain/outbox/deliveryFacts.ts';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import type { Selection } from '../../ui/lists/SelectCell.tsx';
import { counted } from '../../ui/text/counted.ts';
import { Time } from '../../ui/time/Time.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { eventTypeName } from '../webhooks/webhookWords.ts';
import type { Delivery } from './deliveryQueries.ts';
import classes from './DeliveryTable.module.css';
import { commonWords, lastAttemptWords, rowWords, type SaidAbove } from './deliveryWords.ts';

type DeliveryTableProps = {
  deliveries: readonly Delivery[];
  /** The address that opens a delivery beside the list. */
  toPanel: (id: string) => string;
  /** The delivery that is open. */
  opened: string;
  /** Lets the reader choose deliveries to replay. */
  selection: Selection | undefined;
  /** What the page says of their failures already. */
  said: SaidAbove;
};

/** Deliveries, each with its state and why it is in it; what several have in common is said once above them. What was attempted opens beside the list. */
export function DeliveryTable({ deliveries, toPanel, opened, selection, said }: DeliveryTableProps) {
  const common = commonWords(deliveries, said);
  const saidAbove = new Set([...said, ...common.map(({ words }) => words)]);
  const event: Column<Delivery> = {
    header: 'Event',
    cell: ({ event: { type } }) => <span className={classes.whole}>{eventTypeName(type)}</span>,
    to: ({ id }) => toPanel(id),
  };
  const answer: Column<Delivery> = {
    header: 'Last answer',
    cell: (delivery) => {
      const { failure, reason } = rowWords(delivery, saidAbove);
      return (
        <>
          {delivery.lastAttempt && lastAttemptWords(delivery.lastAttempt)}
          {failure && <Text size="xs">{failure}</Text>}
          {reason && <Text size="xs">{reason}</Text>}
        </>
      );
    },
  };
  return (
    <>
      {common.length > 0 && (
        <ul className={classes.common} aria-label="What several deliveries have in common">
          {common.map(({ words, state: shared, count }) => (
            <li key={`${shared} ${words}`}>
              <StatusBadge tone={deliveryFacts[shared].tone}>{deliveryFacts[shared].word}</StatusBadge>
              <strong>{counted(count, 'delivery')}</strong>
              <span className={classes.words}>{words}</span>
            </li>
          ))}
        </ul>
      )}
      <DataTable
        caption="Deliveries"
        columns={[event, state, answer, about, attempts, occurred]}
        rows={deliveries}
        rowKey={({ id }) => id}
        current={opened}
        selection={selection}
        actions={({ id, event: { id: eventId } }) => [
          { label: 'Copy ID', copy: id },
          { label: 'Copy the event ID', copy: eventId },
        ]}
      />
    </>
  );
}

/** Whether a delivery can be sent again: what is still under way or was discarded cannot, nor what a replay has replaced. */
export function isReplayable({ state: now, replayedAt }: Pick<Delivery, 'state' | 'replayedAt'>): boolean {
  return replayedAt === null && deliveryFacts[now].isReplayable;
}

/** Whether attempts may still follow. */
export function isUnderWay({ state: now }: Pick<Delivery, 'state'>): boolean {
  return deliveryFacts[now].waitsFor !== null;
}

const state: Column<Delivery> = {
  header: 'State',
  cell: (delivery) => (
    <span className={classes.whole}>
      <StatusBadge tone={deliveryFacts[delivery.state].tone}>{deliveryFacts[delivery.state].word}</StatusBadge>
    </span>
  ),
};
const about: Column<Delivery> = { header: 'About', breaks: true, cell: (delivery) => <About delivery={delivery} /> };
const attempts: Column<Delivery> = {
  header: 'Attempts',
  givesWay: true,
  wide: true,
  cell: (delivery) => (
    <>
      <span className={classes.whole}>
        {delivery.attemptsCount === 0 ? (isUnderWay(delivery) ? 'None yet' : 'None') : counted(delivery.attemptsCount, 'attempt')}
      </span>
      {deliveryFacts[delivery.state].waitsFor === 'attempt' && delivery.nextAttemptAt && (
        <Text size="xs" c="dimmed">
          <span className={classes.whole}>
            next <Time value={delivery.nextAttemptAt} form="coming" />
          </span>
          {delivery.waitAsked && ', as your receiver asked'}
        </Text>
      )}
    </>
  ),
};
const occurred: Column<Delivery> = { header: 'Occurred', cell: ({ event: { occurredAt } }) => <Time value={occurredAt} /> };

function About({ delivery: { event, replayOf, replayedAt } }: { delivery: Delivery }) {
  const subject = event.resourceId ?? event.connectionId;
  const marks = [event.test && 'test event', replayOf && 'replay', replayedAt && 'replayed since'].filter(Boolean).join(', ');
  return (
    <>
      {subject && <Identifier value={subject} copy={false} />}
      {marks && (
        <Text size="xs" c="dimmed">
          {marks}
        </Text>
      )}
    </>
  );
}
