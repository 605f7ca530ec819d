import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { OperatorLink } from '../../../features/administration/OperatorLink.tsx';
import { mailedReasonField } from '../../../features/administration/reasonField.ts';
import {
  closeServiceGateMutation,
  openServiceGateMutation,
  productionIntegrationsPart,
  productionIntegrationsQuery,
  serviceGateHistoryPart,
  serviceGateHistoryQuery,
  serviceGatePart,
  serviceGateQuery,
} from './gateQueries.ts';
import { IntegrationGates } from './IntegrationGates.tsx';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { pageLoader } from '../../../graphql/pageLoader.ts';
import { share } from '../../../graphql/questions.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import classes from '../AdminGatePage.module.css';

const pageQuery = graphql(
  `
    query GatePage($status: GatedStatus, $open: Boolean, $search: String, $after: String) {
      ...ServiceGatePart
      ...ServiceGateHistoryPart
      ...ProductionIntegrationsPart
    }
  `,
  [serviceGatePart, serviceGateHistoryPart, productionIntegrationsPart],
);

export const loader = pageLoader(({ ask, plain }) => {
  const all = { status: null, open: null, search: null, after: null };
  if (!plain) return ask(serviceGateQuery, {});
  ask(
    pageQuery,
    all,
    share(serviceGateQuery, {}, ({ serviceGate }) => ({ serviceGate })),
    share(serviceGateHistoryQuery, { after: null }, ({ serviceGateHistory }) => ({ serviceGateHistory })),
    share(productionIntegrationsQuery, all, ({ productionIntegrations }) => ({ productionIntegrations })),
  );
});

/** The production gate of the whole service with its history, and the gates of all approved integrations. */
export function Component() {
  const [result, read] = useQuery({ query: serviceGateQuery, requestPolicy: 'cache-and-network' });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Stack gap="lg">
      <PageHeader title="Production gate" lead="Opening the gate is a separate decision: approval and activation do not open it." />
      <Loaded result={result} onRetry={reread}>
        {({ serviceGate }) => (
          <Stack gap="lg" className={classes.panels}>
            <ServiceGatePanel gate={serviceGate} onChanged={reread} />
            <IntegrationGates />
            <GateHistory key={serviceGate.changedAt} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

type Change = ResultOf<typeof serviceGateHistoryQuery>['serviceGateHistory']['edges'][number]['node'];

/** Who opened or closed the service's gate, when, and why. Give it a new key when the gate has changed. */
function GateHistory() {
  const pagination = usePagination();
  const [result, read] = useQuery({
    query: serviceGateHistoryQuery,
    variables: { after: pagination.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Panel title="History">
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ serviceGateHistory }) => (
          <PagedList
            label="History of the gate"
            pagination={pagination}
            page={serviceGateHistory}
            none={
              <EmptyState kind="nothingYet" title="Nobody has opened or closed the gate yet.">
                Every change will be listed here with its reason.
              </EmptyState>
            }
          >
            {(changes) => <DataTable caption="History of the gate" columns={columns} rows={changes} rowKey={({ id }) => id} />}
          </PagedList>
        )}
      </LoadedList>
    </Panel>
  );
}

const columns: readonly Column<Change>[] = [
  { header: 'Reason', cell: ({ reason }) => reason },
  { header: 'Change', cell: ({ open }) => <StatusBadge tone={open ? 'good' : 'stopped'}>{open ? 'Opened' : 'Closed'}</StatusBadge> },
  { header: 'Time', cell: ({ changedAt }) => <Time value={changedAt} /> },
  {
    header: 'Changed by',
    breaks: true,
    cell: ({ changedBy, changedByName }) =>
      changedBy === 'terminal' ? 'At the server’s terminal' : <OperatorLink id={changedBy} name={changedByName} />,
  },
];

type Gate = { open: boolean; reason: string | null; changedAt: string | null };

/** The gate of the whole service, with a button that opens or closes it. */
function ServiceGatePanel({ gate: { open, reason, changedAt }, onChanged }: { gate: Gate; onChanged: () => void }) {
  const [asking, setAsking] = useState(false);
  const [, openGate] = useMutation(openServiceGateMutation);
  const [, closeGate] = useMutation(closeServiceGateMutation);
  const confirmed = useFreshPasskey();

  async function move(words: string): Promise<string | null> {
    const variables = { input: { reason: words } };
    const { error } = await (open ? confirmed(() => closeGate(variables)) : confirmed(() => openGate(variables)));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <Panel
      title="The service"
      marks={<StatusBadge tone={open ? 'good' : 'stopped'}>{open ? 'Open' : 'Closed'}</StatusBadge>}
      lead="An integration receives production data while both this gate and its own are open. Capabilities and acknowledgements also work while a gate is closed."
    >
      {changedAt && (
        <Text mb="md" style={{ overflowWrap: 'anywhere' }}>
          {open ? 'Open' : 'Closed'} since <Time value={changedAt} form="deadline" />: {reason}
        </Text>
      )}
      <Button {...(open && { variant: 'default' })} onClick={() => setAsking(true)}>
        {open ? 'Close the gate' : 'Open the gate'}
      </Button>
      {asking && (
        <ConsequenceDialog
          title={open ? 'Close the service’s gate?' : 'Open the service’s gate?'}
          object="The production gate of the whole service"
          changes={[
            open
              ? 'From the next request, every integration gets 403 production_data_disabled for data.'
              : 'From the next request, every active integration whose own gate is open receives production data.',
          ]}
          unchanged={[
            'Each integration’s own gate stays as it is.',
            open ? 'Capabilities and acknowledgements keep working.' : 'Integrations that are not active receive nothing.',
            'Sandboxes keep working, and deletion deadlines keep running.',
          ]}
          reason={{
            ...mailedReasonField,
            description: 'We email it to the owners of all integrations that this concerns, and it is recorded in the audit trail.',
          }}
          verb={open ? 'Close the gate' : 'Open the gate'}
          {...(open && { tone: 'danger' })}
          onConfirm={move}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}
