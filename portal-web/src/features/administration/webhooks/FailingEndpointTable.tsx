import { Anchor, Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { webhookEndpointFacts } from '../../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { paths } from '../../../paths.ts';
import { DataTable, type Column } from '../../../ui/lists/DataTable.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { ElapsedTime } from '../../../ui/time/ElapsedTime.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { boundedCount } from '../../webhooks/boundedCount.ts';
import type { FailingEndpoint } from './failingEndpointQueries.ts';

type FailingEndpointTableProps = { endpoints: readonly FailingEndpoint[]; onDecide: (failing: FailingEndpoint) => void };

/** Endpoints that fail, each with how long, how much waits for it, and what an administrator can do. */
export function FailingEndpointTable({ endpoints, onDecide }: FailingEndpointTableProps) {
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
        <div>{host}</div>
      </>
    ),
  },
  {
    header: 'Owner',
    breaks: true,
    cell: ({ owner }) => (
      <Anchor component={Link} to={paths.adminOperator(owner.id)} inherit>
        {owner.email ?? 'A deleted account'}
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
