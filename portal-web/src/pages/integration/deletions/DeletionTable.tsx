import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import type { RowAction } from '../../../ui/lists/RowMenu.tsx';
import type { Selection } from '../../../ui/lists/SelectCell.tsx';
import { capital } from '../../../../../server/domain/shared/text/firstLetter.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import type { StatusTone } from '../../../ui/values/statusTone.ts';
import { subjectWords, timeLeft, type TimeLeft } from './deletionWords.ts';
import { type DeletionFilters, outstandingDeletions, type Revocation, type RevocationPage } from './revocationsQuery.ts';

type DeletionTableProps = {
  revocations: readonly Revocation[];
  actions: (revocation: Revocation) => readonly RowAction[];
  /** Left out where nothing can be recorded. */
  selection?: Selection | undefined;
};

/** Revocations with what to delete, since when and until when. */
export function DeletionTable({ revocations, actions, selection }: DeletionTableProps) {
  const done = revocations.some(({ acknowledgedAt }) => acknowledgedAt);
  return (
    <DataTable
      caption="Deletions"
      columns={done ? [...columns, doneColumn] : columns}
      rows={revocations}
      rowKey={({ id }) => id}
      {...{ actions, selection }}
    />
  );
}

const tones = { calm: 'neutral', soon: 'waiting', overdue: 'bad' } as const satisfies Record<TimeLeft['urgency'], StatusTone>;

/** The state of a deletion. While it is outstanding, the time left counts down. */
function TimeLeftBadge({ revocation }: { revocation: Revocation }) {
  const now = useNow();
  if (revocation.acknowledgedAt) {
    const word = revocation.recordedByHand ? 'Recorded' : 'Acknowledged';
    return revocation.acknowledgedLate ? (
      <StatusBadge tone="waiting">{`${word} late`}</StatusBadge>
    ) : (
      <StatusBadge tone="good">{word}</StatusBadge>
    );
  }
  if (revocation.fixture) return <StatusBadge tone="neutral">Test data to try out</StatusBadge>;
  const { words, urgency } = timeLeft(new Date(revocation.deletionDeadlineAt), now);
  return <StatusBadge tone={tones[urgency]}>{capital(words)}</StatusBadge>;
}

const columns: readonly Column<Revocation>[] = [
  {
    header: 'What to delete',
    breaks: true,
    cell: (revocation) => (
      <>
        {subjectWords(revocation)}
        {revocation.subjectType === 'resource' && (
          <Text component="div" size="sm" fw={400}>
            <Identifier value={revocation.subjectId} label="the resource ID" />
          </Text>
        )}
      </>
    ),
  },
  {
    header: 'Connection',
    breaks: true,
    cell: ({ connectionId }) => <Identifier value={connectionId} label="the connection ID" />,
  },
  { header: 'Revoked', wide: true, cell: ({ revokedAt }) => <Time value={revokedAt} /> },
  {
    header: 'Delete by',
    cell: ({ fixture, deletionDeadlineAt }) => (fixture ? 'No deadline' : <Time value={deletionDeadlineAt} form="deadline" />),
  },
  { header: 'Time left', cell: (revocation) => <TimeLeftBadge revocation={revocation} /> },
];

const doneColumn: Column<Revocation> = {
  header: 'Done',
  cell: ({ acknowledgedAt }) => acknowledgedAt && <Time value={acknowledgedAt} />,
};

const { state: usual } = outstandingDeletions;

type Props = {
  filters: DeletionFilters;
  onChange: (change: Partial<DeletionFilters>) => void;
  page: Pick<RevocationPage, 'overdueCount'>;
};

/** Which revocations are listed: those of a state, or the one that a link names, whatever its state. */
export function DeletionFilterBar({ filters: { state, id }, onChange, page: { overdueCount } }: Props) {
  const states = [
    { value: '', label: 'outstanding' },
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
