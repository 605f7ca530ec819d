import { Button, Loader, Stack, Switch, Text, Title } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useClient } from 'urql';
import type { Health } from '../../../features/attention/healthFragment.ts';
import { findingWords, stateWord } from '../../../features/attention/healthWords.ts';
import { capital } from '../../../../../server/domain/shared/text/firstLetter.ts';
import { useEnvironment } from '../../../features/integration/environment.ts';
import { CommandChoice } from '../../../features/integration/CommandChoice.tsx';
import { firstCallCommands } from '../../../features/integration/firstCallCommands.ts';
import { hasIssued } from '../../../features/integration/hasIssued.ts';
import { type Client, type Integration, isOver, type Phase } from '../../../features/integration/integrationQuery.ts';
import { kitVersion } from '../../../features/integration/kitVersion.ts';
import { keyNameOf } from '../../../features/integration/keyNameOf.ts';
import { operationPaths, operationWords } from '../../../features/integration/operationPaths.ts';
import { statusClasses, statusClassNames } from '../../../features/integration/statusClasses.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { clientsTabLoader } from '../../../features/integration/tabLoader.ts';
import { useFrameFollows } from '../../../features/integration/useFrameFollows.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../../ui/lists/FilterChips.tsx';
import { useOpened } from '../../../ui/lists/useOpened.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { serverTime } from '../../../ui/time/serverTime.ts';
import { durationWords } from '../../../ui/time/timeWords.ts';
import { useNow } from '../../../ui/time/useNow.ts';
import type { MomentWords } from '../../../ui/time/momentWords.ts';
import { useMomentWords } from '../../../ui/time/useZone.ts';
import { AnswerWords } from './AnswerWords.tsx';
import { filterNames, isNarrowed, meaningful, noFilters, type RequestFilters } from './loggedRequests.ts';
import { newestRequests, RequestLog } from './RequestLog.tsx';
import { RequestPanel } from './RequestPanel.tsx';
import classes from './RequestsView.module.css';
import requestTableClasses from './RequestTable.module.css';
import { RequestsTop, UsageFigures } from './UsageFigures.tsx';
import { type ClientFacts, factsIn, type LoggedRequest, type ReadRequests, requestsQuery } from './usageQueries.ts';

type Refusal = { readonly words: string; /** Whether calls were answered before. */ readonly began: boolean };

/** Why every call is refused, whatever it asks for. */
const refusals: Readonly<Record<Phase, Refusal | null>> = {
  unapproved: { words: 'every call is refused until you activate production access.', began: false },
  prepared: { words: 'every call is refused until you activate production access.', began: false },
  open: null,
  suspended: { words: 'every call is refused (403), because the integration is suspended.', began: true },
  over: { words: 'every call is refused, because the integration is retired.', began: true },
};

export const loader = clientsTabLoader(requestsQuery, (slug, { id }) => newestRequests(slug, id));

/** The requests of an integration's client: what is refused now and why, the log, and one request beside it. */
export function Component() {
  const to = useIntegrationPaths();
  const { integration } = useIntegration();
  const [shown] = useEnvironment();
  const { deadline } = useMomentWords();
  const client = integration.clients.find(({ environment }) => environment === shown);
  if (!client) return <ErrorMessage message="This integration has no client." />;
  const phase = integration.phases[client.environment];
  const refusedBecause = refusalWords(integration, phase, deadline);
  const certificatesPath = to.certificates({ environment: client.environment });
  return (
    <RequestsView
      key={client.id}
      client={client}
      slug={integration.slug}
      refusedBecause={refusedBecause}
      ended={isOver(integration)}
      behind={behindWords(integration[client.environment])}
      callable={refusedBecause === null && hasIssued(client)}
      certificatesPath={certificatesPath}
      none={<FirstRequest {...{ client, certificatesPath, refusedBecause }} />}
    />
  );
}

/** Since when and why every call is refused: those that are listed below from before were answered. */
function refusalWords(
  { statusChangedAt, statusReason }: Pick<Integration, 'statusChangedAt' | 'statusReason'>,
  phase: Phase,
  moment: MomentWords['deadline'],
): string | null {
  const refusal = refusals[phase];
  if (!refusal) return null;
  const { words, began } = refusal;
  const said = began && statusChangedAt ? `Since ${moment(new Date(statusChangedAt))}, ${words}` : capital(words);
  return phase === 'suspended' && statusReason ? `${said} Reason: ${statusReason}` : said;
}

/** What the page says of syncs that are late or have stopped. */
function behindWords({ signals }: Health): string | null {
  const late = signals.find(({ signal, level, page }) => signal === 'data' && page === 'requests' && stateWord({ level }) !== null);
  return late ? `${findingWords(late)}. Check that the job that calls GET /v1/sync is running.` : null;
}

type FirstRequestProps = {
  client: Client;
  certificatesPath: string;
  /** Why every call is refused, which the page says above; null where calls are answered. */
  refusedBecause: string | null;
};

/** Shown to owners while the request log is empty: the command for a first call. */
function FirstRequest({ client, certificatesPath, refusedBecause }: FirstRequestProps) {
  const { service, integration } = useIntegration();
  const readOnly = useReadOnly();
  const keyName = keyNameOf(client);
  if (refusedBecause !== null) return <Text>No requests in the last 7 days.</Text>;
  if (!hasIssued(client)) {
    const pending = client.certificatesInUse.length > 0;
    return (
      <Stack gap="sm" align="flex-start" pt="xs">
        <Title order={2}>{pending ? 'The certificate is being issued' : 'To call the API, your back end needs a client certificate'}</Title>
        {!pending && !readOnly && (
          <Button component={Link} to={certificatesPath}>
            Get a certificate
          </Button>
        )}
        <Text size="sm" c="dimmed">
          The command for a call appears here once you have one.
        </Text>
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <Text>
        Run this. It finds <code>{keyName}.key</code> and <code>{keyName}.pem</code> in the folder that you are in, or in Downloads:
      </Text>
      <CommandChoice
        commands={firstCallCommands({ ...service, slug: integration.slug, keyName, kitVersion, environment: client.environment }, false)}
        label="the commands for the first call"
      />
      <Text size="sm" c="dimmed">
        The call appears here within three seconds of its response. If it is refused, you see why and what to do.
      </Text>
    </Stack>
  );
}

type RequestsViewProps = {
  client: { readonly id: string; readonly lastRequestAt?: string | null | undefined };
  slug: string;
  /** Why every call of the client is refused; null where calls are answered. */
  refusedBecause: string | null;
  /** Whether no call is ever answered again, so that there is nothing to follow. */
  ended: boolean;
  /** That syncs are late or have stopped. */
  behind: string | null;
  /** Whether a first call can come now, so that the empty log says that it waits for one. */
  callable: boolean;
  /** Where a request’s certificate is shown. */
  certificatesPath: string;
  /** Shown if there are no requests at all. */
  none: ReactNode;
};

/** What is refused now and why, the log with its filters, and one request beside it. */
function RequestsView({ client, slug, refusedBecause, ended, behind, callable, certificatesPath, none }: RequestsViewProps) {
  const [filters, change] = useRequestFilters();
  const [live, setLive] = useState(!ended);
  const [facts, setRead] = useFacts(slug, client.id);
  // The frame knows it before anything of the log is read, so that nothing moves once it is.
  const called = Boolean(client.lastRequestAt ?? facts?.usage.lastRequestAt ?? facts?.groups[0]) || isNarrowed(filters);
  useFrameFollows(facts?.groups.map(({ id, open, lastAt }) => [id, open, lastAt].join()).join('; '));
  const opened = useOpened('request');
  const toAlike = ({ problem, status, operation, serial }: Pick<LoggedRequest, 'problem' | 'status' | 'operation' | 'serial'>) =>
    opened.without({ answer: problem ? '' : String(status), problem: problem ?? '', operation, serial: serial ?? '', from: '', to: '' });
  return (
    <div className={classes.page}>
      <RequestsTop
        facts={facts}
        called={called}
        refusedBecause={refusedBecause}
        behind={behind}
        toRequests={toAlike}
        toProblems={opened.without({ ...noFilters, answer: 'problems' })}
      />
      {called && (
        <div className={classes.filters}>
          <RequestFilterBar filters={filters} onChange={change} live={live} onLive={ended ? null : setLive} />
        </div>
      )}
      <RequestLog
        key={JSON.stringify(filters)}
        slug={slug}
        clientId={client.id}
        filters={filters}
        live={live}
        reading={opened.id !== ''}
        onFacts={setRead}
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
      {called && <UsageFigures clientId={client.id} />}
    </div>
  );
}

/** The client’s facts: at first those that are remembered, which are drawn with the log, then those that the log tells. */
function useFacts(slug: string, clientId: string): [ClientFacts | null, (read: ReadRequests) => void] {
  const portal = useClient();
  const [read, setRead] = useState<ReadRequests | null>(
    () => portal.readQuery(requestsQuery, newestRequests(slug, clientId), { requestPolicy: 'cache-only' })?.data ?? null,
  );
  return [useMemo(() => read && factsIn(read, clientId), [read, clientId]), setRead];
}

/** The filters of the request log. What the address says and no filter means is left out. */
function useRequestFilters(): [RequestFilters, (changes: Partial<RequestFilters>) => void] {
  const [given, change] = useUrlFilters(filterNames);
  return [meaningful(given), change];
}

/** Shown in place of an empty log while it is live. */
function WaitingForCall() {
  return (
    <Text role="status" fw={650} mt="sm">
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
  const { zone } = useMomentWords();
  const columns = useMemo(
    () => [{ ...exactTime, header: `Time (${zone})`, to: ({ id }: LoggedRequest) => toPanel(id) }, ...otherColumns],
    [toPanel, zone],
  );
  return <DataTable caption="Requests" columns={columns} rows={requests} rowKey={idOf} current={opened} actions={actionsOf} brief />;
}

const idOf = ({ id }: LoggedRequest) => id;
const actionsOf = ({ id, serial }: LoggedRequest) => [
  { label: 'Copy ID', copy: id },
  ...(serial ? [{ label: 'Copy the certificate’s serial', copy: serial }] : []),
];

const exactTime: Omit<Column<LoggedRequest>, 'header'> = { cell: ({ occurredAt }) => <Time value={occurredAt} form="exact" /> };
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
  wide: true,
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
  /** Null where nothing comes any more. */
  onLive: ((live: boolean) => void) | null;
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

/** Which requests the log shows, and whether it is live. */
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
            onChange: (hours: string) => onChange({ from: hours && new Date(serverTime() - Number(hours) * hour).toISOString(), to: '' }),
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
      {onLive && <Switch label="Live" checked={live} onChange={(event) => onLive(event.currentTarget.checked)} />}
    </FilterChips>
  );
}

/** The range in the reader’s zone, as in "since 09:14:07.112 Europe/Oslo"; null without one. */
function useRangeWords(from: string, to: string): string | null {
  const { zone, exact } = useMomentWords();
  const now = useNow();
  const words = (at: string) => exact(new Date(at), now);
  if (from === '' && to === '') return null;
  const range = [from && `${to === '' ? 'since ' : ''}${words(from)}`, to && `${from === '' ? 'until ' : ''}${words(to)}`];
  return `${range.filter((part) => part !== '').join(' to ')} ${zone}`;
}
