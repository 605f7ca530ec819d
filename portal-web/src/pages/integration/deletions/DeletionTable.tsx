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
  /** Whether the page says above how much time is left for the only one. */
  timed: boolean;
  actions: (revocation: Revocation) => readonly RowAction[];
  /** Left out where nothing can be recorded. */
  selection?: Selection | undefined;
};

/** Revocations with what to delete, since when and until when. */
export function DeletionTable({ revocations, timed, actions, selection }: DeletionTableProps) {
  const done = revocations.some(({ acknowledgedAt }) => acknowledgedAt);
  return (
    <DataTable
      caption="Deletions"
      columns={timed ? columns : [...columns, timeLeftColumn, ...(done ? [doneColumn] : [])]}
      rows={revocations}
      rowKey={({ id }) => id}
      {...{ actions, selection }}
    />
  );
}

/** As what needs the owner about it. In a sandbox it is practice, which needs nobody. */
const tones = { calm: 'waiting', soon: 'bad', overdue: 'bad' } as const satisfies Record<TimeLeft['urgency'], StatusTone>;

type TimeLeftBadgeProps = {
  deadline: string;
  environment: Revocation['environment'];
  /** Whether others have later deadlines. */
  first?: boolean;
};

/** How much time is left until a deadline; it counts down. */
export function TimeLeftBadge({ deadline, environment, first = false }: TimeLeftBadgeProps) {
  const { words, urgency } = timeLeft(new Date(deadline), useNow());
  return (
    <StatusBadge tone={environment === 'sandbox' ? 'neutral' : tones[urgency]}>{first ? `First: ${words}` : capital(words)}</StatusBadge>
  );
}

/** The state of a deletion. */
function DeletionBadge({ revocation }: { revocation: Revocation }) {
  if (revocation.acknowledgedAt) {
    const word = revocation.recordedByHand ? 'Recorded' : 'Acknowledged';
    return revocation.acknowledgedLate ? (
      <StatusBadge tone="waiting">{`${word} late`}</StatusBadge>
    ) : (
      <StatusBadge tone="good">{word}</StatusBadge>
    );
  }
  if (revocation.fixture) return <StatusBadge tone="neutral">Test data to try out</StatusBadge>;
  return <TimeLeftBadge deadline={revocation.deletionDeadlineAt} environment={revocation.environment} />;
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
];

const timeLeftColumn: Column<Revocation> = { header: 'Time left', cell: (revocation) => <DeletionBadge revocation={revocation} /> };

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
    { value: '', label: 'not done' },
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
