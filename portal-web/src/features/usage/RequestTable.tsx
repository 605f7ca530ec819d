import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { absoluteWords, durationWords } from '../../ui/time/timeWords.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { StatusTone } from '../../ui/values/statusTone.ts';
import { InlineMarkdown } from '../markdown/Markdown.tsx';
import { operationWords } from './operationPaths.ts';
import classes from './RequestTable.module.css';
import { statusClassOf, type StatusClass } from './statusClasses.ts';
import type { LoggedRequest } from './usageQueries.ts';

const tones = { succeeded: 'good', unchanged: 'neutral', refused: 'stopped', failed: 'bad' } as const satisfies Record<
  StatusClass,
  StatusTone
>;

type RequestTableProps = {
  requests: readonly LoggedRequest[];
  certificatesPath: string | null;
  /** The ID of the request that is open at first. */
  opened: string;
};

/** Requests. Opening a row shows what the response means and what to do. */
export function RequestTable({ requests, certificatesPath, opened }: RequestTableProps) {
  return (
    <DataTable
      caption="Requests"
      columns={columns}
      rows={requests}
      rowKey={({ id }) => id}
      detail={{
        label: ({ id }) => `Details of ${id}`,
        open: ({ id }) => id === opened,
        content: (request) => <RequestDetail {...{ request, certificatesPath }} />,
      }}
    />
  );
}

const columns: readonly Column<LoggedRequest>[] = [
  {
    header: 'Operation',
    cell: ({ method, operation }) => (
      <span className={classes.operation}>
        {method} {operationWords(operation)}
      </span>
    ),
  },
  {
    header: 'Answer',
    cell: ({ status, title }) => <StatusBadge tone={tones[statusClassOf(status)]}>{`${status} ${title}`}</StatusBadge>,
  },
  { header: 'Time', cell: ({ occurredAt }) => <RelativeTime value={occurredAt} /> },
  { header: 'Duration', figures: true, cell: ({ durationMs }) => durationWords(durationMs) },
];

function RequestDetail({ request, certificatesPath }: { request: LoggedRequest; certificatesPath: string | null }) {
  const { reason, advice } = request;
  return (
    <>
      {(reason ?? advice) && (
        <div className={classes.words}>
          {reason && <Text>{reason}</Text>}
          {advice && (
            <Text c={reason ? 'dimmed' : undefined}>
              <InlineMarkdown source={advice} />
            </Text>
          )}
        </div>
      )}
      <Facts facts={factsOf(request, certificatesPath)} />
    </>
  );
}

function factsOf(request: LoggedRequest, certificatesPath: string | null): [string, ReactNode][] {
  const { id, occurredAt, problem, certificateId, serial, durationMs } = request;
  const facts: [string, ReactNode][] = [
    ['Request ID', <CopyableCode key="id" value={id} label="the request ID" />],
    ['Time', absoluteWords(new Date(occurredAt))],
  ];
  if (problem)
    facts.push([
      'Problem',
      <span key="problem">
        <code>{problem}</code>, <Anchor href={paths.problem(problem)}>about this problem</Anchor>
      </span>,
    ]);
  facts.push([
    'Certificate',
    certificateId ? <CertificateName key="certificate" id={certificateId} path={certificatesPath} /> : 'Not on record',
  ]);
  if (serial) facts.push(['Serial', <CopyableCode key="serial" value={serial} label="the serial" />]);
  facts.push(['Duration', durationWords(durationMs)]);
  return facts;
}

function CertificateName({ id, path }: { id: string; path: string | null }) {
  if (path === null) return <CopyableCode value={id} label="the certificate ID" />;
  return (
    <Anchor component={Link} to={path}>
      {id}
    </Anchor>
  );
}
