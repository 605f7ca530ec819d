import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { deletionFacts } from '../../../../../server/domain/sharing/deletionFacts.ts';
import { useTool } from '../../../features/integration/CommandChoice.tsx';
import { acknowledgementCommands } from '../../../features/integration/machineCommands.ts';
import { useEnvironment } from '../../../features/integration/environment.ts';
import { type Client, isOver } from '../../../features/integration/integrationQuery.ts';
import { keyNameOf } from '../../../features/integration/keyNameOf.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { clientsTabLoader } from '../../../features/integration/tabLoader.ts';
import { useFrameFollows } from '../../../features/integration/useFrameFollows.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';
import { NextPractice } from '../../../features/practice/NextPractice.tsx';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { Columns } from '../../../ui/layout/Columns.tsx';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import type { RowAction } from '../../../ui/lists/RowMenu.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Notice } from '../../../ui/states/Notice.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { StatusIcon } from '../../../ui/values/StatusBadge.tsx';
import { AcknowledgeByCommand, type DeletionsToRecord, RecordDeletionsDialog } from './AcknowledgeDeletions.tsx';
import deletionSummaryClasses from './DeletionSummary.module.css';
import { DeletionFilterBar, DeletionTable, TimeLeftBadge } from './DeletionTable.tsx';
import { acknowledgementRefusal, countWords, dueWords, overdueWords } from './deletionWords.ts';
import { Duties, dutiesTitle } from './Duties.tsx';
import {
  type DeletionFilters,
  outstandingDeletions,
  type Revocation,
  type RevocationPage,
  revocationsPage,
  revocationsQuery,
} from './revocationsQuery.ts';

export const loader = clientsTabLoader(revocationsQuery, (slug, { environment }) =>
  revocationsPage(slug, environment, outstandingDeletions, null),
);

/** What the operator has to delete in one environment, how long there is, and what has been deleted. */
export function Component() {
  const { clients } = useIntegration().integration;
  const [shown] = useEnvironment();
  const client = clients.find(({ environment }) => environment === shown);
  if (!client) return <ErrorMessage message="This integration has no client." />;
  return (
    <Stack gap="md">
      <Deletions key={client.id} client={client} />
    </Stack>
  );
}

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** What a client has to delete, with the time left, what has been deleted, and the ways to say that it is. */
function Deletions({ client }: { client: Client }) {
  const { integration, service } = useIntegration();
  const { slug, phases } = integration;
  const { environment } = client;
  const phase = phases[environment];
  const [filters, changeFilters] = useDeletionFilters();
  const pagination = usePagination();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [recording, setRecording] = useState<DeletionsToRecord | null>(null);
  const [tool] = useTool();
  const now = useNow();
  const readOnly = useReadOnly();
  const { state } = filters;
  const [result, read] = usePolledQuery({
    query: revocationsQuery,
    variables: revocationsPage(slug, environment, filters, pagination.after),
    // The operator's back end acknowledges deletions, so the page has to poll for acknowledgements.
    whileTrue: ({ revocations }) => revocations.outstandingCount > 0,
    every: 5000,
    context: fresh,
  });
  const counts = result.data?.revocations;
  useFrameFollows(counts && [counts.outstandingCount, counts.overdueCount, counts.nextDeadlineAt].join());
  const reread = () => read({ requestPolicy: 'network-only' });
  const facts = { ...service, keyName: keyNameOf(client) };
  const asked = { phase, environment, scopes: client.scopes };
  const refusal = acknowledgementRefusal(asked);
  const accepts = (each: Revocation) => !refusal && !each.acknowledgedAt && (each.fixture || new Date(each.deletionDeadlineAt) > now);

  function actionsOf(revocation: Revocation): RowAction[] {
    const { id: revocationId, connectionId, acknowledgedAt } = revocation;
    const copies: RowAction[] = [{ label: 'Copy ID', copy: revocationId }];
    if (acknowledgedAt || readOnly) return copies;
    const command = { label: 'Copy the acknowledgement command', copy: acknowledgementCommands([revocationId], facts)[tool] };
    return [
      ...copies,
      accepts(revocation)
        ? command
        : { ...command, disabledBecause: `${refusal ?? 'The deadline has passed.'} Record the deletion instead.` },
      { label: 'Record this deletion', onSelect: () => setRecording({ revocationIds: [revocationId] }) },
      { label: 'Record all of its connection', onSelect: () => setRecording({ environment, connectionId }) },
    ];
  }

  return (
    <LoadedList pagination={pagination} result={result} onRetry={reread}>
      {({ revocations: page }) => {
        const rows = page.edges.map(({ node }) => node);
        const chosen = rows.filter((each) => selected.has(each.id) && !each.acknowledgedAt);
        const outstanding = rows.filter((each) => !each.acknowledgedAt);
        const acceptable = (chosen.length > 0 ? chosen : rows).filter(accepts).map((each) => each.id);
        const never = page.outstandingCount === 0 && page.lastDoneAt === null;
        const duties = (
          <Duties production={phases.production} recordOnly={refusal !== null || (outstanding.length > 0 && !outstanding.some(accepts))} />
        );
        return (
          <Stack gap="md">
            {!never && <DeletionSummary {...{ page, environment, refusal }} overdue={overdueWords(asked)} />}
            <DueElsewhere {...{ page, environment }} />
            {!never && <DeletionFilterBar {...{ filters, page }} onChange={changeFilters} />}
            <PagedList
              label="Deletions"
              {...{ pagination, page }}
              none={
                <Columns still side={<Panel title={dutiesTitle}>{duties}</Panel>}>
                  <NoDeletions {...{ state, page, never }} retired={isOver(integration)} />
                </Columns>
              }
            >
              {(revocations) => (
                <DeletionTable
                  revocations={revocations}
                  timed={page.dueCount === 1 && revocations.every(isDue)}
                  actions={actionsOf}
                  selection={
                    readOnly || deletionFacts[state].isDone || revocations.every(({ acknowledgedAt }) => acknowledgedAt)
                      ? undefined
                      : {
                          selected: new Set(chosen.map((each) => each.id)),
                          onChange: setSelected,
                          bar: (
                            <Group gap="sm">
                              <Button size="xs" onClick={() => setRecording({ revocationIds: chosen.map((each) => each.id) })}>
                                Record {counted(chosen.length, 'deletion')}
                              </Button>
                              <Button size="xs" variant="default" onClick={() => setSelected(new Set())}>
                                Clear selection
                              </Button>
                            </Group>
                          ),
                        }
                  }
                />
              )}
            </PagedList>
            {page.dueCount > 0 && !readOnly && (
              <Group gap="0.5rem 0.75rem">
                {/* Otherwise, the page says so above. */}
                {page.overdueCount === 0 && refusal === null && <Text size="sm">Once every copy is deleted:</Text>}
                <Button
                  size="xs"
                  variant={chosen.length > 0 ? 'default' : 'filled'}
                  onClick={() => setRecording({ environment, due: true })}
                >
                  {page.dueCount === 1 ? 'Record the deletion' : `Record all ${page.dueCount.toLocaleString('en')}`}
                </Button>
              </Group>
            )}
            <AcknowledgeByCommand revocationIds={acceptable} chosen={chosen.length > 0} facts={facts} />
            {rows.length > 0 && (
              <Fold summary={dutiesTitle} open={page.lastDoneAt === null && page.dueCount > 0}>
                {duties}
              </Fold>
            )}
            {environment === 'sandbox' && page.lastDoneAt !== null && <NextPractice />}
            {recording && (
              <RecordDeletionsDialog
                slug={slug}
                where={`${integration.profile.publicName}, ${environment}`}
                filter={recording}
                onClose={() => setRecording(null)}
                onRecorded={() => {
                  setSelected(new Set());
                  reread();
                }}
              />
            )}
          </Stack>
        );
      }}
    </LoadedList>
  );
}

/** Which deletions are shown. The filters stand in the address, so that it can be kept and sent. */
function useDeletionFilters(): [DeletionFilters, (change: Partial<DeletionFilters>) => void] {
  const [asked, changeAddress] = useUrlFilters(['state', 'revocation']);
  const filters = {
    state: Object.hasOwn(deletionFacts, asked.state) ? (asked.state as DeletionFilters['state']) : outstandingDeletions.state,
    id: asked.revocation || null,
  };

  function change(changes: Partial<DeletionFilters>) {
    const { state, id } = { ...filters, id: null, ...changes };
    changeAddress({ state: state === outstandingDeletions.state ? '' : state, revocation: id ?? '' });
  }

  return [filters, change];
}

type NoDeletionsProps = Pick<DeletionFilters, 'state'> & {
  page: Pick<RevocationPage, 'lastDoneAt'>;
  /** Whether there has never been anything to delete: then this alone says so. */
  never: boolean;
  retired: boolean;
};

/** Shown if the list is empty: since when, or how deletions come about. */
function NoDeletions({ state, page: { lastDoneAt }, never, retired }: NoDeletionsProps) {
  const to = useIntegrationPaths();
  const over = retired && 'The integration is retired, so no more follow.';
  if (!never) {
    if (deletionFacts[state].isLate) return <Text>No deadline has passed.</Text>;
    // The page has said above that there is nothing to delete.
    return (
      <Text>
        {lastDoneAt ? (
          <>
            The last deletion was done on <Time value={lastDoneAt} form="moment" />.
          </>
        ) : (
          'No deletion has been acknowledged or recorded yet.'
        )}{' '}
        {over}
      </Text>
    );
  }
  if (retired) {
    return (
      <EmptyState kind="nothingYet" title="Nothing to delete: no user has revoked anything.">
        {over}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      kind="nothingYet"
      title="Nothing to delete: no user has revoked anything yet."
      action={
        <Anchor component={Link} to={to.sandbox()}>
          Try it: revoke something in your sandbox
        </Anchor>
      }
    >
      When a user revokes an order, a stock vehicle or a whole connection, it appears here at once and as a tombstone in your next sync. You
      then have 7 days to delete it.
    </EmptyState>
  );
}

type DueElsewhereProps = { page: Pick<RevocationPage, 'elsewhere'>; environment: Revocation['environment'] };

/** What is due in the other environment. */
function DueElsewhere({ page: { elsewhere }, environment }: DueElsewhereProps) {
  const now = useNow();
  if (elsewhere.dueCount === 0) return null;
  const other = environment === 'sandbox' ? 'production' : 'sandbox';
  return (
    <Text size="sm">
      <Anchor component={Link} to={{ search: `?environment=${other}` }} inherit>
        In {other === 'sandbox' ? 'the sandbox' : 'production'}
      </Anchor>
      : {dueWords(elsewhere, now)}.
    </Text>
  );
}

/** Whether it has to be done, and until when. */
const isDue = ({ acknowledgedAt, fixture }: Revocation): boolean => !acknowledgedAt && !fixture;

type DeletionSummaryProps = {
  page: RevocationPage;
  environment: Revocation['environment'];
  refusal: ReturnType<typeof acknowledgementRefusal>;
  /** What follows if deadlines have passed. */
  overdue: string;
};

/** How many deletions are due and until when, and what a missed deadline means. Several have a row each with its own time. */
function DeletionSummary({ page, environment, refusal, overdue }: DeletionSummaryProps) {
  const deadline = page.overdueSince ?? page.nextDeadlineAt;
  return (
    <section aria-label="How many">
      <div className={deletionSummaryClasses.head}>
        <Group role="status" gap="xs">
          {page.outstandingCount === 0 && <StatusIcon tone="good" />}
          <Title order={2}>{countWords(page)}</Title>
        </Group>
        {page.dueCount > 0 && deadline && <TimeLeftBadge {...{ deadline, environment }} first={page.dueCount > 1} />}
      </div>
      {page.dueCount === 0 && page.outstandingCount > 0 && (
        <Text size="sm" mt={4}>
          The test data comes with a deletion to practise on. Acknowledge it whenever you like.
        </Text>
      )}
      {page.overdueCount > 0 ? (
        <div className={deletionSummaryClasses.notice}>
          <Notice grave={environment === 'production'} title="Delete every copy now, then record it here" words={overdue} />
        </div>
      ) : (
        refusal &&
        page.dueCount > 0 && (
          <div className={deletionSummaryClasses.notice}>
            <Notice title="Record it here once every copy is deleted" words={refusal} />
          </div>
        )
      )}
    </section>
  );
}
