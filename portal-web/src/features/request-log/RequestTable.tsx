import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { durationWords } from '../../ui/time/timeWords.ts';
import { AnswerWords } from '../usage/AnswerWords.tsx';
import { operationWords } from '../usage/operationPaths.ts';
import classes from './RequestTable.module.css';
import type { LoggedRequest } from '../usage/usageQueries.ts';

type RequestTableProps = {
  requests: readonly LoggedRequest[];
  /** The address that opens a request beside the list. */
  toPanel: (id: string) => string;
  /** The request that is open. */
  opened: string;
};

/** Requests, a line each. What is behind one opens beside the list. */
export function RequestTable({ requests, toPanel, opened }: RequestTableProps) {
  const columns: readonly Column<LoggedRequest>[] = [
    { header: 'Time', to: ({ id }) => toPanel(id), cell: ({ occurredAt }) => <Time value={occurredAt} form="exact" /> },
    { header: 'Answer', cell: ({ status, title }) => <AnswerWords {...{ status, title }} /> },
    {
      header: 'Operation',
      cell: ({ method, operation }) => (
        <span className={classes.operation}>
          {method} {operationWords(operation)}
        </span>
      ),
    },
    // Beside an open request there is little room, and it has its own serial.
    ...(opened === '' ? [certificate] : []),
    { header: 'Duration', figures: true, cell: ({ durationMs }) => durationWords(durationMs) },
  ];
  return (
    <DataTable
      caption="Requests"
      columns={columns}
      rows={requests}
      rowKey={({ id }) => id}
      current={opened}
      actions={({ id, serial }) => [
        { label: 'Copy ID', copy: id },
        ...(serial ? [{ label: 'Copy the certificate’s serial', copy: serial }] : []),
      ]}
    />
  );
}

const certificate: Column<LoggedRequest> = {
  header: 'Certificate',
  cell: ({ serial }) =>
    serial ? (
      <code className={classes.serial} title={`Serial ${serial}`}>
        …{serial.slice(-8)}
      </code>
    ) : (
      'unknown'
    ),
};
