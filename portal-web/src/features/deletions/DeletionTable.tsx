import { Text } from '@mantine/core';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import type { RowAction } from '../../ui/lists/RowMenu.tsx';
import type { Selection } from '../../ui/lists/SelectCell.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { subjectWords } from './deletionWords.ts';
import type { Revocation } from './revocationsQuery.ts';
import { TimeLeftBadge } from './TimeLeftBadge.tsx';

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
  { header: 'Revoked', cell: ({ revokedAt }) => <Time value={revokedAt} /> },
  { header: 'Time left', cell: (revocation) => <TimeLeftBadge revocation={revocation} /> },
];

const doneColumn: Column<Revocation> = {
  header: 'Done',
  cell: ({ acknowledgedAt }) => acknowledgedAt && <Time value={acknowledgedAt} />,
};
