import { Anchor, Button, Loader, Stack, Switch, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { paths } from '../../../paths.ts';
import { SidePanel } from '../../../ui/layout/SidePanel.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { type Opened, useOpened } from '../../../ui/lists/useOpened.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { exactWords, zoneName } from '../../../ui/time/exactWords.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { absoluteWords, durationWords } from '../../../ui/time/timeWords.ts';
import { useNow } from '../../../ui/time/useNow.ts';
import { useZone } from '../../../ui/time/useZone.ts';
import { ZoneSwitch } from '../../../ui/time/ZoneSwitch.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { InlineMarkdown } from '../../../features/markdown/Markdown.tsx';
import { AnswerWords } from './AnswerWords.tsx';
import { operationPaths, operationWords } from './operationPaths.ts';
import { RequestsTop } from './RequestsTop.tsx';
import { statusClasses, statusClassNames } from './statusClasses.ts';
import { UsageFigures } from './UsageFigures.tsx';
import { type ClientFacts, type LoggedRequest, requestQuery } from './usageQueries.ts';
import { filterNames, isNarrowed, meaningful, noFilters, type RequestFilters } from './requestFilters.ts';
import { RequestLog } from './RequestLog.tsx';
import classes from './RequestsView.module.css';
import requestTableClasses from './RequestTable.module.css';

type RequestsViewProps = {
  client: { readonly id: string };
  slug: string;
  /** Why every call of the client is refused; null where calls are answered. */
  refusedBecause: string | null;
  /** Whether a first call can come now, so that the empty log says that it waits for one. */
  callable: boolean;
  /** Where a request’s certificate is shown. */
  certificatesPath: string;
  /** Shown if there are no requests at all. */
  none: ReactNode;
};

/** What is refused now and why, the log with its filters, and one request beside it. */
export function RequestsView({ client, slug, refusedBecause, callable, certificatesPath, none }: RequestsViewProps) {
  const [filters, change] = useRequestFilters();
  const [live, setLive] = useState(true);
  const [facts, setFacts] = useState<ClientFacts | null>(null);
  const opened = useOpened('request');
  const toAlike = ({ problem, status, operation, serial }: Pick<LoggedRequest, 'problem' | 'status' | 'operation' | 'serial'>) =>
    opened.without({ answer: problem ? '' : String(status), problem: problem ?? '', operation, serial: serial ?? '', from: '', to: '' });
  return (
    <div className={classes.page}>
      <RequestsTop facts={facts} refusedBecause={refusedBecause} toRequests={toAlike} />
      <RequestFilterBar filters={filters} onChange={change} live={live} onLive={setLive} />
      <RequestLog
        key={JSON.stringify(filters)}
        slug={slug}
        clientId={client.id}
        filters={filters}
        live={live}
        reading={opened.id !== ''}
        onFacts={setFacts}
        none={
          isNarrowed(filters) ? (
            <NoRequests onClear={() => change(noFilters)} />
          ) : (
            <>
              {none}
              {live && callable && <WaitingForCall />}
            </>
          )
        }
        renderPanel={(requests) => opened.id !== '' && <RequestPanel {...{ client, opened, requests, certificatesPath, toAlike }} />}
      >
        {(requests) => <RequestTable requests={requests} toPanel={opened.to} opened={opened.id} />}
      </RequestLog>
      <UsageFigures clientId={client.id} />
    </div>
  );
}

/** The filters of the request log. What the address says and no filter means is left out. */
function useRequestFilters(): [RequestFilters, (changes: Partial<RequestFilters>) => void] {
  const [given, change] = useUrlFilters(filterNames);
  return [meaningful(given), change];
}

/** Shown in place of an empty log while it is live. */
function WaitingForCall() {
  return (
    <Text role="status" fw={600} mt="sm">
      <Loader size={14} mr="xs" aria-hidden />
      Waiting for your first call…
    </Text>
  );
}

/** Explains a log that is empty because of its filters. */
function NoRequests({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      kind="nothingFits"
      title="No requests in the last 7 days fit these filters."
      action={
        <Button variant="default" onClick={onClear}>
          Show all requests
        </Button>
      }
    />
  );
}

type RequestTableProps = {
  requests: readonly LoggedRequest[];
  /** The address that opens a request beside the list. */
  toPanel: (id: string) => string;
  /** The request that is open. */
  opened: string;
};

/** Requests, a line each. What is behind one opens beside the list. */
function RequestTable({ requests, toPanel, opened }: RequestTableProps) {
  const columns = useMemo(() => [{ ...exactTime, to: ({ id }: LoggedRequest) => toPanel(id) }, ...otherColumns], [toPanel]);
  return <DataTable caption="Requests" columns={columns} rows={requests} rowKey={idOf} current={opened} actions={actionsOf} />;
}

const idOf = ({ id }: LoggedRequest) => id;
const actionsOf = ({ id, serial }: LoggedRequest) => [
  { label: 'Copy ID', copy: id },
  ...(serial ? [{ label: 'Copy the certificate’s serial', copy: serial }] : []),
];

const exactTime: Column<LoggedRequest> = { header: 'Time', cell: ({ occurredAt }) => <Time value={occurredAt} form="exact" /> };
const answered: Column<LoggedRequest> = { header: 'Answer', cell: ({ status, title }) => <AnswerWords {...{ status, title }} /> };
const called: Column<LoggedRequest> = {
  header: 'Operation',
  cell: ({ method, operation }) => (
    <span className={requestTableClasses.operation}>
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
      <code className={requestTableClasses.serial} title={`Serial ${serial}`}>
        …{serial.slice(-8)}
      </code>
    ) : (
      'unknown'
    ),
};

const otherColumns = [answered, called, certificate, duration];

type FilterBarProps = {
  filters: RequestFilters;
  onChange: (changes: Partial<RequestFilters>) => void;
  live: boolean;
  onLive: (live: boolean) => void;
};

const answers = [
  { value: '', label: 'all' },
  { value: 'problems', label: 'problems (4xx, 5xx)' },
  ...statusClassNames.map((value) => ({ value, label: `${statusClasses[value].word.toLowerCase()} (${statusClasses[value].range})` })),
];
const operations = [
  { value: '', label: 'all' },
  ...Object.entries(operationPaths).map(([value, label]) => ({ value, label })),
  { value: 'path', label: 'wrong method' },
  { value: 'nothing', label: 'no such path' },
];
const times = [
  { value: '', label: 'last 7 days' },
  { value: '1', label: 'last hour' },
  { value: '24', label: 'last 24 hours' },
];
const hour = 3_600_000;

/** Which requests the log shows, whether it is live, and in which zone its times are. */
function RequestFilterBar({ filters, onChange, live, onLive }: FilterBarProps) {
  const { answer, operation, problem, serial, from, to } = filters;
  const status = /^\d+$/.test(answer) ? [{ value: answer, label: answer }] : [];
  const range = useRangeWords(from, to);
  const given = [
    ...(problem ? [{ label: 'Problem', words: problem, onRemove: () => onChange({ problem: '' }) }] : []),
    ...(serial ? [{ label: 'Certificate', words: `…${serial.slice(-8)}`, onRemove: () => onChange({ serial: '' }) }] : []),
    ...(range ? [{ label: 'Time', words: range, onRemove: () => onChange({ from: '', to: '' }) }] : []),
  ];
  const choices = [
    {
      label: 'Answer',
      value: answer,
      options: [...answers, ...status],
      onChange: (value: string) => onChange({ answer: value }),
    },
    { label: 'Operation', value: operation, options: operations, onChange: (value: string) => onChange({ operation: value }) },
    ...(range
      ? []
      : [
          {
            label: 'Time',
            value: '',
            options: times,
            // An instant and not a number of hours, so that a link shows the same requests tomorrow.
            onChange: (hours: string) => onChange({ from: hours && new Date(Date.now() - Number(hours) * hour).toISOString(), to: '' }),
          },
        ]),
  ];
  return (
    <FilterChips
      label="Filter the requests"
      choices={choices}
      given={given}
      onClear={isNarrowed(filters) ? () => onChange(noFilters) : null}
    >
      <Switch label="Live" checked={live} onChange={(event) => onLive(event.currentTarget.checked)} />
      <ZoneSwitch />
    </FilterChips>
  );
}

/** The range in the reader’s zone, as in "since 09:14:07.112 Europe/Oslo"; null without one. */
function useRangeWords(from: string, to: string): string | null {
  const [zone] = useZone();
  const now = useNow();
  const words = (at: string) => exactWords(new Date(at), now, zone);
  if (from === '' && to === '') return null;
  const range = [from && `${to === '' ? 'since ' : ''}${words(from)}`, to && `${from === '' ? 'until ' : ''}${words(to)}`];
  return `${range.filter((part) => part !== '').join(' to ')} ${zoneName(zone)}`;
}

type RequestPanelProps = {
  client: { readonly id: string };
  opened: Opened;
  /** The list that it is opened beside. */
  requests: readonly LoggedRequest[];
  /** Where the certificates are shown. */
  certificatesPath: string;
  /** The address of the log with the requests like this one. */
  toAlike: (request: LoggedRequest) => string;
};

/** What the request was that is open, why it was answered as it was, and what to do. */
function RequestPanel({ client, opened, requests, certificatesPath, toAlike }: RequestPanelProps) {
  const { id: requestId } = opened;
  const place = requests.findIndex(({ id }) => id === requestId);
  const listed = requests[place];
  const [{ data, fetching }] = useQuery({
    query: requestQuery,
    variables: { clientId: client.id, requestId },
    pause: listed !== undefined || !isRequestId(requestId),
  });
  const found = data?.requests.edges[0]?.node;
  const request = listed ?? (found?.id === requestId ? found : null);
  const wayTo = (other: LoggedRequest | undefined) => (place === -1 || !other ? null : () => opened.change(other.id));
  return (
    <SidePanel
      title={request ? `${request.method} ${operationWords(request.operation)}` : 'Request'}
      about="request"
      onClose={() => opened.change('')}
      onPrevious={wayTo(requests[place - 1])}
      onNext={wayTo(requests[place + 1])}
    >
      {request ? (
        <Stack gap="sm">
          <AnswerWords status={request.status} title={request.title} />
          <Cure request={request} />
          <Facts facts={factsOf(request, certificatesPath)} />
          {request.problem && (
            <Anchor component={Link} to={toAlike(request)} size="sm">
              All with this problem, operation and certificate
            </Anchor>
          )}
          <Text size="xs" c="dimmed">
            Path, query, body and address are never stored.
          </Text>
        </Stack>
      ) : (
        <Text role="status" style={{ overflowWrap: 'anywhere' }}>
          {fetching ? 'Looking for it…' : notFoundWords(requestId)}
        </Text>
      )}
    </SidePanel>
  );
}

/** Whether the text is a complete request ID, as the X-Request-Id header has it. */
function isRequestId(text: string): boolean {
  return /^req_[0-9a-z]{26}$/.test(text);
}

function notFoundWords(requestId: string): string {
  if (!isRequestId(requestId)) return 'A request ID is req_ followed by 26 characters.';
  return `This client has no request with the ID ${requestId}. Requests are kept for 7 days, and those without one of our certificates are not logged. It may have been made in the other environment.`;
}

function Cure({ request: { reason, advice } }: { request: LoggedRequest }) {
  return (
    <>
      {reason && <Text size="sm">{reason}</Text>}
      {advice && (
        <Text size="sm" c={reason ? 'dimmed' : undefined} component="div">
          <InlineMarkdown source={advice} />
        </Text>
      )}
    </>
  );
}

function factsOf(request: LoggedRequest, certificatesPath: string): [string, ReactNode][] {
  const { id, occurredAt, problem, certificateId, serial, durationMs } = request;
  const facts: [string, ReactNode][] = [
    ['Time', <Time key="time" value={occurredAt} form="exact" />],
    ['UTC', absoluteWords(new Date(occurredAt))],
    ['Duration', durationWords(durationMs)],
    ['Request ID', <Identifier key="id" value={id} label="the request ID" />],
  ];
  if (problem) {
    facts.push([
      'Problem',
      <span key="problem">
        <code>{problem}</code>, <Anchor href={paths.problem(problem)}>about this problem</Anchor>
      </span>,
    ]);
  }
  facts.push([
    'Certificate',
    certificateId === null ? (
      'Not on record'
    ) : (
      <Anchor key="certificate" component={Link} to={certificatesPath} inherit>
        <Identifier value={certificateId} copy={false} />
      </Anchor>
    ),
  ]);
  if (serial) facts.push(['Serial', <Identifier key="serial" value={serial} label="the serial" />]);
  return facts;
}
