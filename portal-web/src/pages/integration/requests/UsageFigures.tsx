import { Anchor, Button, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { quotaLeftWords } from '../../../../../server/domain/client/quotaFacts.ts';
import { operationWords } from '../../../features/integration/operationPaths.ts';
import { statusClasses, statusClassNames } from '../../../features/integration/statusClasses.ts';
import { InlineMarkdown } from '../../../features/markdown/Markdown.tsx';
import { Bars } from '../../../ui/charts/Bars.tsx';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { PageLoading } from '../../../ui/states/PageLoading.tsx';
import { counted, othersWords } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { useMomentWords } from '../../../ui/time/useZone.ts';
import { Facts } from '../../../ui/values/Facts.tsx';
import { AnswerWords } from './AnswerWords.tsx';
import errorGroupsClasses from './ErrorGroups.module.css';
import quotaLineClasses from './QuotaLine.module.css';
import requestsTopClasses from './RequestsTop.module.css';
import { type ClientFacts, type ErrorGroup, type Quota, type Usage, type UsageCount, usageQuery } from './usageQueries.ts';
import classes from './UsageTables.module.css';
import { type ClassTotals, dayOf, hoursOf, isTight, percentWords, shownQuotas, totalsOf } from './usageWords.ts';

/** A client’s figures by operation and by hour, folded until somebody wants them. */
export function UsageFigures({ clientId }: { clientId: string }) {
  return (
    <Fold summary="Figures by operation and by hour" lazily>
      <Figures clientId={clientId} />
    </Fold>
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
      <Loaded shape="table" result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
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
    <Fold summary="Read the chart as a table">
      <DataTable
        caption="Requests per hour"
        columns={hourColumns}
        rows={counts.toReversed()}
        rowKey={({ hour, operation, status }) => `${hour} ${operation} ${status}`}
      />
    </Fold>
  );
}

const hourColumns: readonly Column<UsageCount>[] = [
  { header: 'Hour', cell: ({ hour }) => <Time value={hour} form="hour" />, sortBy: ({ hour }) => hour },
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

type RequestsTopProps = {
  /** Null until they have been read. */
  facts: ClientFacts | null;
  /** Whether there was a call, as far as is known before they are read. */
  called: boolean;
  /** Why every call is refused, so that quotas do not matter; null where calls are answered. */
  refusedBecause: string | null;
  /** That syncs are late or have stopped. */
  behind: string | null;
  toRequests: (group: ErrorGroup) => string;
  /** The address of the log with all that was refused or failed. */
  toProblems: string;
};

/** Whether something is refused now, what is left of the quotas, and how many requests there were in a day. */
export function RequestsTop({ facts, called, refusedBecause, behind, toRequests, toProblems }: RequestsTopProps) {
  if (!facts) {
    return (
      <div className={requestsTopClasses.top} data-uncalled={!called || undefined} aria-busy>
        <div className={requestsTopClasses.waiting}>
          <PageLoading />
        </div>
      </div>
    );
  }
  const { groups, usage } = facts;
  return (
    <div className={requestsTopClasses.top} data-uncalled={!called || undefined}>
      <div className={requestsTopClasses.words}>
        {refusedBecause !== null && <Text fw={650}>{refusedBecause}</Text>}
        {behind !== null && <Text fw={650}>{behind}</Text>}
        <ErrorGroups {...{ groups, usage, refusedBecause, toRequests, toProblems }} />
      </div>
      <UsageBars usage={usage} />
    </div>
  );
}

/** The requests of the last 24 hours by the hour. */
function UsageBars({ usage }: { usage: ClientFacts['usage'] }) {
  const { hourInZone } = useMomentWords();
  const bars = hoursOf(usage).map(({ from, sum, refused, broken }) => ({ name: hourInZone(from), total: sum, failed: refused, broken }));
  if (usage.lastRequestAt === null) return null;
  if (bars.every(({ total }) => total === 0)) {
    return (
      <Text size="sm" c="dimmed">
        No requests in the last 24 hours.
      </Text>
    );
  }
  // Lower than elsewhere, since its key stands below it and the log begins high on the page.
  return <Bars label="Requests in the last 24 hours" bars={bars} height={56} />;
}

/** What is left of the quotas now, in one line. One that is nearly used up says when it starts over. */
function QuotaLine({ quotas }: { quotas: readonly Quota[] }) {
  return (
    <p className={quotaLineClasses.line}>
      Quota:{' '}
      {shownQuotas(quotas).map((quota, index) => (
        <Fragment key={quota.name}>
          {index > 0 && ' · '}
          <span data-tight={isTight(quota) || undefined}>
            {isTight(quota) && <IconAlertTriangle size={14} aria-hidden />}
            {quotaLeftWords(quota)}
            {isTight(quota) && quota.resetsAt && (
              <>
                , resets <Time value={quota.resetsAt} form="coming" />
              </>
            )}
            {quota.overridden && ' (approved override)'}
          </span>
        </Fragment>
      ))}
    </p>
  );
}

const most = 3;
/** Of so many causes, the first has its cure told at once: those of more would push the log off the screen. */
const mostTold = 2;

type ErrorGroupsProps = {
  groups: readonly ErrorGroup[];
  usage: ClientFacts['usage'];
  /** Why every call is refused, which the page says itself; null where calls are answered. */
  refusedBecause: string | null;
  /** The address of the log with the group’s requests. */
  toRequests: (group: ErrorGroup) => string;
  toProblems: string;
};

/** Refused and failed calls now, by cause, each with what to mend; or that nothing is. */
function ErrorGroups({ groups, usage, refusedBecause, toRequests, toProblems }: ErrorGroupsProps) {
  const [all, setAll] = useState(false);
  const open = groups.filter((group) => group.open);
  if (open.length === 0) return <NothingRefused {...{ groups, refusedBecause, ...usage }} />;
  const shown = all ? open : open.slice(0, most);
  const day = dayOf(usage);
  const told = shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-label="Refused and failed calls">
      <div className={errorGroupsClasses.head}>
        <Text fw={650}>{refusedWords(day, told)}</Text>
        {refusedBecause === null && <QuotaLine quotas={usage.quotas} />}
      </div>
      <ul className={errorGroupsClasses.groups}>
        {shown.map((group, place) => (
          <Cause key={group.id} {...{ group, toRequests }} told={place === 0 && open.length <= mostTold} alone={open.length === 1}>
            {/* No line of their own, which would push the log down. */}
            {place === shown.length - 1 && day.refused > told && (
              <Anchor component={Link} to={toProblems} size="sm">
                {othersWords(day.refused - told)}
              </Anchor>
            )}
          </Cause>
        ))}
      </ul>
      {open.length > most && (
        <Button variant="subtle" size="xs" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show the first three causes' : `Show ${counted(open.length - most, 'more cause')}`}
        </Button>
      )}
    </section>
  );
}

type CauseProps = Pick<ErrorGroupsProps, 'toRequests'> & {
  group: ErrorGroup;
  /** Whether its cure is told at once, or by a click. */
  told: boolean;
  alone: boolean;
  /** What ends its line. */
  children?: ReactNode;
};

/** One cause, with the way to its requests and its cure in full. */
function Cause({ group, told, alone, toRequests, children }: CauseProps) {
  const [opened, setOpened] = useState(false);
  return (
    <li className={errorGroupsClasses.group}>
      <div className={errorGroupsClasses.line}>
        <AnswerWords status={group.status} title={group.title} />
        <code className={errorGroupsClasses.operation}>{operationWords(group.operation)}</code>
        <Anchor component={Link} to={toRequests(group)} size="sm">
          {countWords(group)}
        </Anchor>
        {!told && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            fw={550}
            aria-expanded={opened}
            aria-label={`What to do: ${group.title}, ${operationWords(group.operation)}`}
            onClick={() => setOpened(!opened)}
          >
            What to do
          </Anchor>
        )}
        {children}
      </div>
      {(told || opened) && <Cure {...{ group, alone }} />}
    </li>
  );
}

/** What to do, why, and when it was. Of several causes, why is left out, since there may be little room; each request says it. */
function Cure({ group, alone }: { group: ErrorGroup; alone: boolean }) {
  return (
    <div className={errorGroupsClasses.cure}>
      {group.advice && (
        <span className={errorGroupsClasses.advice}>
          <InlineMarkdown source={group.advice} />
        </span>
      )}{' '}
      {alone && group.reason} <Since group={group} />
    </div>
  );
}

/** When it was first and last seen, whether the operation works again, and with which certificate. */
function Since({ group: { serial, firstAt, lastAt, count, answeredAt } }: { group: ErrorGroup }) {
  return (
    <>
      {count > 1 && (
        <>
          First <Time value={firstAt} />, last{' '}
        </>
      )}
      {count === 1 && 'Once, '}
      <Time value={lastAt} />
      {answeredAt && ', worked since'}
      {serial && `, certificate …${serial.slice(-8)}`}.
    </>
  );
}

/** How many of a day's calls were refused or failed: "31 of 40 calls refused or failed in 24 hours." `told`: so many are listed by cause. */
function refusedWords({ all, refused }: ReturnType<typeof dayOf>, told: number): string {
  // A call is in the log a moment before it is counted.
  if (refused < told) return 'Calls are being refused or are failing.';
  return `${refused.toLocaleString('en')} of ${counted(all, 'call')} refused or failed in 24 hours.`;
}

type NothingRefusedProps = Pick<ErrorGroupsProps, 'groups' | 'refusedBecause'> & Pick<ClientFacts['usage'], 'lastRequestAt' | 'quotas'>;

function NothingRefused({ groups, lastRequestAt, quotas, refusedBecause }: NothingRefusedProps) {
  // Why every call is refused has been said, and without a call on record there is nothing to add.
  if (refusedBecause !== null && !lastRequestAt) return null;
  const last = groups.toSorted((one, other) => other.lastAt.localeCompare(one.lastAt))[0];
  return (
    <section aria-label="Refused and failed calls">
      {refusedBecause === null && (
        <div className={errorGroupsClasses.head}>
          <Text fw={650}>{lastRequestAt ? 'No calls are being refused or failing.' : 'We have not received a call yet.'}</Text>
          <QuotaLine quotas={quotas} />
        </div>
      )}
      {lastRequestAt && (
        <Text size="sm" c="dimmed">
          The last call was <Time value={lastRequestAt} />.
          {last && (
            <>
              {' '}
              The last problem, {last.status} {last.title} on <code>{operationWords(last.operation)}</code>, was{' '}
              <Time value={last.lastAt} />
              {last.answeredAt ? ', and the operation has worked since.' : '.'}
            </>
          )}
        </Text>
      )}
    </section>
  );
}

/** How many there are, as in "34 requests, 12% of all in 24 hours". */
function countWords({ count, more, share }: Pick<ErrorGroup, 'count' | 'more' | 'share'>): string {
  const number = `${more ? 'the last ' : ''}${counted(count, 'request')}`;
  if (share === null) return number;
  return `${number}, ${percentWords(share)} of all in 24 hours`;
}
