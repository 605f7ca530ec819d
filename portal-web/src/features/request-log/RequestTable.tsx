import { useMemo } from 'react';
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
  const columns = useMemo(() => [{ ...exactTime, to: ({ id }: LoggedRequest) => toPanel(id) }, ...otherColumns], [toPanel]);
  return <DataTable caption="Requests" columns={columns} rows={requests} rowKey={idOf} current={opened} actions={actionsOf} />;
}

const idOf = ({ id }: LoggedRequest) => id;
const actionsOf = ({ id, serial }: LoggedRequest) => [
  { label: 'Copy ID', copy: id },
  ...(serial ? [{ label: 'Copy the certificate’s serial', copy: serial }] : []),
];

const exactTime: Column<LoggedRequest> = { header: 'Time', cell: ({ occurredAt }) => <Time value={occurredAt} form="exact" /> };
const answer: Column<LoggedRequest> = { header: 'Answer', cell: ({ status, title }) => <AnswerWords {...{ status, title }} /> };
const called: Column<LoggedRequest> = {
  header: 'Operation',
  cell: ({ method, operation }) => (
    <span className={classes.operation}>
      {method} {operationWords(operation)}
    </span>
  ),
};
const duration: Column<LoggedRequest> = { header: 'Duration', figures: true, cell: ({ durationMs }) => durationWords(durationMs) };

const certificate: Column<LoggedRequest> = {
  header: 'Certificate',
  givesWay: true,
  cell: ({ serial }) =>
    serial ? (
      <code className={classes.serial} title={`Serial ${serial}`}>
        …{serial.slice(-8)}
      </code>
    ) : (
      'unknown'
    ),
};

const otherColumns = [answer, called, certificate, duration];
