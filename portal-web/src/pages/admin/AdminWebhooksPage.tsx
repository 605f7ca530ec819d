import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { mailedReasonField } from '../../features/administration/reasonField.ts';
import { useFreshPasskey } from '../../features/passkey/useFreshPasskey.ts';
import { boundedCount } from '../../features/webhooks/boundedCount.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { paths } from '../../paths.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { type Column, DataTable } from '../../ui/lists/DataTable.tsx';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePagination } from '../../ui/lists/usePagination.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { ElapsedTime } from '../../ui/time/ElapsedTime.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { Address } from '../../ui/values/Address.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';

const views = [
  { value: '', label: 'failing' },
  { value: 'paused', label: 'paused by staff' },
];
const fresh = { requestPolicy: 'cache-and-network' } as const;

/** Everybody’s webhook endpoints that fail, with the way to pause one. */
export function Component() {
  const pagination = usePagination();
  const [{ show }, change] = useUrlFilters(['show']);
  const view = show === 'paused' ? 'paused' : 'failing';
  const [result, read] = usePolledQuery({
    query: failingEndpointsQuery,
    variables: { view, after: pagination.after },
    whileTrue: () => pagination.after === null,
    every: 10_000,
    context: fresh,
  });
  const [asked, setAsked] = useState<FailingEndpoint | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Stack gap="md">
      <PageHeader
        title="Failing webhook endpoints"
        documentTitle="Failing endpoints"
        lead="Endpoints where every attempt fails, longest first. Owners are emailed after an hour, a day and five days; nothing is switched off automatically. Only hosts are shown, because the rest of a URL may be a secret."
      />
      <FilterChips
        label="Filter the endpoints"
        choices={[{ label: 'Show', value: view === 'paused' ? view : '', options: views, onChange: (value) => change({ show: value }) }]}
        onClear={null}
      />
      <LoadedList pagination={pagination} result={result} onRetry={reread}>
        {({ failingWebhookEndpoints }) => (
          <PagedList
            label="Failing endpoints"
            pagination={pagination}
            page={failingWebhookEndpoints}
            note={note}
            none={
              <EmptyState
                kind={view === 'paused' ? 'nothingYet' : 'allClear'}
                title={view === 'paused' ? 'No endpoint is paused by staff.' : 'No endpoint is failing.'}
              >
                {!(view === 'paused') && 'Endpoints appear here automatically.'}
              </EmptyState>
            }
          >
            {(endpoints) => <FailingEndpointTable {...{ endpoints }} onDecide={setAsked} />}
          </PagedList>
        )}
      </LoadedList>
      {asked && (
        <PauseAnyDialog
          failing={asked}
          onClose={() => setAsked(null)}
          onDone={(words) => {
            setNote(words);
            reread();
          }}
        />
      )}
    </Stack>
  );
}

type PauseAnyDialogProps = {
  failing: FailingEndpoint;
  onClose: () => void;
  /** Called with what has been done, in words. */
  onDone: (words: string) => void;
};

/** Pauses somebody’s endpoint with a reason, or ends such a pause. */
function PauseAnyDialog({ failing: { id, host, environment, status, integration }, onClose, onDone }: PauseAnyDialogProps) {
  const [, pause] = useMutation(pauseAnyWebhookEndpointMutation);
  const [, resume] = useMutation(resumeAnyWebhookEndpointMutation);
  const confirmed = useFreshPasskey();
  const pauses = webhookEndpointFacts[status].receives === 'yes';
  const name = integration.profile.publicName;

  async function decide(reason: string): Promise<string | null> {
    const input = { endpointId: id, reason };
    const { error } = await (pauses ? confirmed(() => pause({ input })) : confirmed<object>(() => resume({ input })));
    if (error) return error.message;
    onDone(pauses ? `An endpoint of ${name} was paused.` : `An endpoint of ${name} was resumed.`);
    return null;
  }

  return (
    <ConsequenceDialog
      title={pauses ? `Pause an endpoint of ${name}?` : `Resume an endpoint of ${name}?`}
      object={
        <>
          <EnvironmentTag environment={environment} /> <code>{host}</code>
        </>
      }
      changes={
        pauses
          ? ['Nothing is sent to it, not even revocations, until an administrator resumes it.', 'The owner is emailed with the reason.']
          : ['Held deliveries are sent at once.', 'The owner is emailed.']
      }
      unchanged={
        pauses
          ? ['Events are held until their delivery window ends.', 'The owner can still pull everything.']
          : ['Events whose delivery window has ended are not sent.']
      }
      reason={mailedReasonField}
      verb={pauses ? 'Pause' : 'Resume'}
      {...(pauses && { tone: 'danger' })}
      onConfirm={decide}
      onClose={onClose}
    />
  );
}

type FailingEndpointTableProps = { endpoints: readonly FailingEndpoint[]; onDecide: (failing: FailingEndpoint) => void };

/** Endpoints that fail, each with how long, how much waits for it, and what an administrator can do. */
function FailingEndpointTable({ endpoints, onDecide }: FailingEndpointTableProps) {
  const decide: Column<FailingEndpoint> = {
    header: 'Decide',
    actions: true,
    cell: (failing) => <Decide {...{ failing, onDecide }} />,
  };
  return <DataTable caption="Failing endpoints" columns={[...columns, decide]} rows={endpoints} rowKey={({ id }) => id} />;
}

const columns: readonly Column<FailingEndpoint>[] = [
  {
    header: 'Integration',
    cell: ({ integration }) => integration.profile.publicName,
    to: ({ integration }) => paths.adminIntegration(integration.slug),
  },
  {
    header: 'Endpoint',
    breaks: true,
    cell: ({ host, environment }) => (
      <>
        <EnvironmentTag environment={environment} />
        <div>
          <Address value={host} />
        </div>
      </>
    ),
  },
  {
    header: 'Owner',
    breaks: true,
    wide: true,
    cell: ({ owner }) => (
      <Anchor component={Link} to={paths.adminOperator(owner.id)} inherit>
        {owner.email === null ? 'A deleted account' : <Address value={owner.email} />}
      </Anchor>
    ),
  },
  { header: 'State', cell: (endpoint) => <State endpoint={endpoint} /> },
  {
    header: 'Last success',
    cell: ({ health }) => (health.lastSuccessAt ? <Time value={health.lastSuccessAt} /> : 'Never'),
  },
  {
    header: 'Deliveries',
    cell: ({ health }) => (
      <>
        {boundedCount(health.waiting)} waiting, {boundedCount(health.held)} held, {boundedCount(health.dead)} dead
      </>
    ),
  },
];

function State({ endpoint: { status, pausedBy, pauseReason, health } }: { endpoint: FailingEndpoint }) {
  if (webhookEndpointFacts[status].receives !== 'yes') {
    return (
      <>
        <StatusBadge tone={webhookEndpointFacts[status].tone}>
          {pausedBy === 'administrator' ? 'Paused by staff' : webhookEndpointFacts[status].word}
        </StatusBadge>
        {pauseReason && <Text size="xs">{pauseReason}</Text>}
      </>
    );
  }
  return (
    <>
      <StatusBadge tone="bad">Failing</StatusBadge>
      {health.failingSince && (
        <Text size="xs">
          <ElapsedTime since={health.failingSince} />
        </Text>
      )}
    </>
  );
}

function Decide({ failing, onDecide }: { failing: FailingEndpoint; onDecide: FailingEndpointTableProps['onDecide'] }) {
  const { status, pausedBy, host, own } = failing;
  if (own) return <Text size="xs">Yours: another administrator decides</Text>;
  const { receives } = webhookEndpointFacts[status];
  const word = receives === 'yes' ? 'Pause' : receives === 'notNow' && pausedBy === 'administrator' ? 'Resume' : null;
  if (word === null) return null;
  return (
    <Button variant="default" size="xs" onClick={() => onDecide(failing)} aria-label={`${word} the endpoint at ${host}`}>
      {word}
    </Button>
  );
}

/** Endpoints of all operators that fail, the longest first, or that administrators have paused. */
const failingEndpointsQuery = graphql(`
  query FailingWebhookEndpoints($view: EndpointView!, $after: String) {
    failingWebhookEndpoints(view: $view, first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          own
          host
          environment
          status
          statusChangedAt
          pausedBy
          pauseReason
          health {
            lastSuccessAt
            failingSince
            waiting
            held
            dead
          }
          owner {
            id
            email
          }
          integration {
            id
            slug
            profile {
              publicName
            }
          }
        }
      }
    }
  }
`);

const pauseAnyWebhookEndpointMutation = graphql(`
  mutation PauseAnyWebhookEndpoint($input: EndpointDecisionInput!) {
    pauseAnyWebhookEndpoint(input: $input) {
      id
    }
  }
`);

const resumeAnyWebhookEndpointMutation = graphql(`
  mutation ResumeAnyWebhookEndpoint($input: EndpointDecisionInput!) {
    resumeAnyWebhookEndpoint(input: $input) {
      id
    }
  }
`);

type FailingEndpoint = ResultOf<typeof failingEndpointsQuery>['failingWebhookEndpoints']['edges'][number]['node'];
