import classes from './UsageTables.module.css';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { hourWords } from '../../ui/time/timeWords.ts';
import { operationWords } from './operationPaths.ts';
import { statusClassNames, statusClasses, totalsOf, type ClassTotals } from './statusClasses.ts';
import type { UsageCount } from './usageQueries.ts';

type OperationTotals = { operation: string; totals: ClassTotals };

/** The responses of each operation in the whole period. */
export function OperationTable({ counts }: { counts: readonly UsageCount[] }) {
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
export function HourTable({ counts }: { counts: readonly UsageCount[] }) {
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
