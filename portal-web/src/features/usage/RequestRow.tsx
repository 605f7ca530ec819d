import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { DisclosureRow } from '../../ui/lists/DisclosureRow.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { absoluteWords } from '../../ui/time/timeWords.ts';
import { StatusBadge, type StatusTone } from '../../ui/values/StatusBadge.tsx';
import { InlineMarkdown } from '../markdown/Markdown.tsx';
import { operationWords } from './operationPaths.ts';
import classes from './RequestRow.module.css';
import { statusClassOf, type StatusClass } from './statusClasses.ts';
import type { LoggedRequest } from './usageQueries.ts';

const tones = { succeeded: 'good', unchanged: 'neutral', refused: 'stopped', failed: 'bad' } as const satisfies Record<
  StatusClass,
  StatusTone
>;

type RequestRowProps = { request: LoggedRequest; certificatesPath: string | null; open: boolean };

/** One request: what it was on one line; opened, what the answer means and what to do. */
export function RequestRow({ request, certificatesPath, open }: RequestRowProps) {
  const { occurredAt, method, route, status, title } = request;
  return (
    <DisclosureRow
      open={open}
      columns={classes.columns}
      line={
        <>
          <span className={classes.time}>
            <RelativeTime value={occurredAt} />
          </span>
          <span className={classes.operation}>
            {method} {operationWords(route)}
          </span>
          <StatusBadge tone={tones[statusClassOf(status)]}>{`${status} ${title}`}</StatusBadge>
          <span className={classes.duration}>{durationWords(request.durationMs)}</span>
        </>
      }
    >
      {(request.reason ?? request.advice) && (
        <div className={classes.words}>
          {request.reason && <Text>{request.reason}</Text>}
          {request.advice && (
            <Text c={request.reason ? 'dimmed' : undefined}>
              <InlineMarkdown source={request.advice} />
            </Text>
          )}
        </div>
      )}
      <Facts facts={factsOf(request, certificatesPath)} />
    </DisclosureRow>
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

function durationWords(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return milliseconds >= 10 ? `${Math.round(milliseconds)} ms` : `${milliseconds.toFixed(1)} ms`;
}
