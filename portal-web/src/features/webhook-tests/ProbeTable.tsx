import { Text } from '@mantine/core';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { StatusTone } from '../../ui/values/statusTone.ts';
import type { Probe } from './testQueries.ts';

const verdictWords = {
  passed: { tone: 'good', word: 'Passed' },
  failed: { tone: 'bad', word: 'Failed' },
  advice: { tone: 'waiting', word: 'Advice' },
  not_sent: { tone: 'neutral', word: 'Not sent' },
} as const satisfies Record<Probe['verdict'], { tone: StatusTone; word: string }>;

/** The requests of a receiver check: what each asks for, what came back, and what to mend. */
export function ProbeTable({ probes }: { probes: readonly Probe[] }) {
  return <DataTable caption="Receiver check" columns={columns} rows={probes} rowKey={({ kind }) => kind} />;
}

const columns: readonly Column<Probe>[] = [
  { header: 'Request', cell: ({ title }) => title },
  { header: 'Expected answer', cell: ({ expectation }) => expectation },
  { header: 'Answer', cell: ({ status, failure }) => failure ?? status ?? '–' },
  {
    header: 'Result',
    cell: ({ verdict, mend }) => (
      <>
        <StatusBadge tone={verdictWords[verdict].tone}>{verdictWords[verdict].word}</StatusBadge>
        {mend && (
          <Text size="sm" mt={4}>
            {mend}
          </Text>
        )}
      </>
    ),
  },
];
