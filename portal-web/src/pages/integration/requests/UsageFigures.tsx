import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { percentWords } from '../../../ui/text/percentWords.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { hourWords } from '../../../ui/time/timeWords.ts';
import { Facts } from '../../../ui/values/Facts.tsx';
import { operationWords } from './operationPaths.ts';
import { type ClassTotals, statusClasses, statusClassNames, totalsOf } from './statusClasses.ts';
import { type Usage, type UsageCount, usageQuery } from './usageQueries.ts';
import classes from './UsageTables.module.css';

/** A client’s figures by operation and by hour, folded until somebody wants them. */
export function UsageFigures({ clientId }: { clientId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Figures by operation and by hour</summary>
      {open && <Figures clientId={clientId} />}
    </details>
  );
}

function Figures({ clientId }: { clientId: string }) {
  const [period, setPeriod] = useState<'day' | 'week'>('day');
  const [result, read] = useQuery({ query: usageQuery, variables: { clientId, period }, requestPolicy: 'cache-and-network' });
  return (
    <Stack gap="md" mt="sm">
      <SegmentedControl
        aria-label="Period"
        size="xs"
        w="fit-content"
        data={[
          { value: 'day', label: '24 hours' },
          { value: 'week', label: '7 days' },
        ]}
        value={period}
        onChange={(value) => setPeriod(value === 'week' ? 'week' : 'day')}
      />
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ usage }) => (
          <>
            <SyncFacts usage={usage} />
            {usage.counts.length > 0 && (
              <>
                <OperationTable counts={usage.counts} />
                <HourTable counts={usage.counts} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}

const lowShare = 0.2;
const enoughSyncs = 10;

/** When the client last called, and how many of its syncs found nothing new. */
function SyncFacts({ usage }: { usage: Usage }) {
  const { lastRequestAt, lastSyncAt } = usage;
  return (
    <Facts
      facts={[
        ['Last request', lastRequestAt ? <Time key="request" value={lastRequestAt} /> : 'Never'],
        ['Last sync', lastSyncAt ? <Time key="sync" value={lastSyncAt} /> : 'Never'],
        ['Syncs answered with 304', <UnchangedShare key="share" usage={usage} />],
      ]}
    />
  );
}

function UnchangedShare({ usage: { syncs, unchangedSyncs } }: { usage: Usage }) {
  if (syncs === 0) return 'No syncs in this period';
  const low = syncs >= enoughSyncs && unchangedSyncs / syncs < lowShare;
  return (
    <>
      {percentWords(unchangedSyncs / syncs)} ({unchangedSyncs} of {syncs})
      {low && (
        <Text size="sm" c="dimmed" mt={4} maw={560}>
          That is low. Send the <code>ETag</code> of the last response as <code>If-None-Match</code> with the same query: if nothing has
          changed, you get 304 without a body. If your orders change at every poll, a low share is expected.
        </Text>
      )}
    </>
  );
}

type OperationTotals = { operation: string; totals: ClassTotals };

/** The responses of each operation in the whole period. */
function OperationTable({ counts }: { counts: readonly UsageCount[] }) {
  const rows = [...new Set(counts.map(({ operation }) => operation))]
    .toSorted((one, other) => operationWords(one).localeCompare(operationWords(other)))
    .map((operation) => ({ operation, totals: totalsOf(counts.filter((count) => count.operation === operation)) }));
  return <DataTable caption="Requests by operation" columns={operationColumns} rows={rows} rowKey={({ operation }) => operation} />;
}

const operationColumns: readonly Column<OperationTotals>[] = [
  {
    header: 'Operation',
    cell: ({ operation }) => <Operation operation={operation} />,
    sortBy: ({ operation }) => operationWords(operation),
  },
  ...statusClassNames.map((name) => ({
    header: statusClasses[name].range,
    figures: true,
    cell: ({ totals }: OperationTotals) => totals[name],
    sortBy: ({ totals }: OperationTotals) => totals[name],
  })),
];

/** The chart's figures in full: every hour with its operations and statuses, newest first. */
function HourTable({ counts }: { counts: readonly UsageCount[] }) {
  return (
    <details className={classes.details}>
      <summary>Read the chart as a table</summary>
      <DataTable
        caption="Requests per hour"
        columns={hourColumns}
        rows={counts.toReversed()}
        rowKey={({ hour, operation, status }) => `${hour} ${operation} ${status}`}
      />
    </details>
  );
}

const hourColumns: readonly Column<UsageCount>[] = [
  { header: 'Hour (UTC)', cell: ({ hour }) => hourWords(new Date(hour)), sortBy: ({ hour }) => hour },
  {
    header: 'Operation',
    breaks: true,
    cell: ({ operation }) => <Operation operation={operation} />,
    sortBy: ({ operation }) => operationWords(operation),
  },
  { header: 'Status', figures: true, cell: ({ status }) => status, sortBy: ({ status }) => status },
  { header: 'Requests', figures: true, cell: ({ count }) => count, sortBy: ({ count }) => count },
];

function Operation({ operation }: { operation: string }) {
  return <span className={classes.operation}>{operationWords(operation)}</span>;
}
