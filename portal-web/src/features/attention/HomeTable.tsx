import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { integrationPaths } from '../../paths.ts';
import { Bars } from '../../ui/charts/Bars.tsx';
import { DataTable } from '../../ui/lists/DataTable.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { hourWords } from '../../ui/time/timeWords.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { tabPath } from './actPath.ts';
import { healthTones } from './healthWords.ts';
import classes from './HomeTable.module.css';
import type { HomeRow } from './homeQuery.ts';

/** The operator’s integrations: how each is in both environments, its last day, and its one next act. */
export function HomeTable({ rows }: { rows: readonly HomeRow[] }) {
  return (
    <DataTable
      caption="Your integrations"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Name', cell: ({ profile }) => profile.publicName, to: ({ slug }) => integrationPaths(slug).overview(), breaks: true },
        { header: 'Sandbox', cell: ({ sandbox }) => <Mark health={sandbox} /> },
        { header: 'Production', cell: (row) => (clientOf(row, 'production') ? <Mark health={row.production} /> : 'Not yet') },
        { header: 'Last 24 hours', cell: (row) => <Day row={row} /> },
        { header: 'Last sync', cell: (row) => <LastSync row={row} /> },
        { header: 'Next', cell: (row) => <Next row={row} /> },
      ]}
    />
  );
}

type Client = HomeRow['clients'][number];

function clientOf({ clients }: HomeRow, environment: Client['environment']): Client | undefined {
  return clients.find((client) => client.environment === environment);
}

/** The client whose data counts: production’s from the activation on, before that the sandbox’s. */
function mainClient(row: HomeRow): Client | undefined {
  const phase = row.phases.production;
  const live = phase === 'open' || phase === 'suspended';
  return (live ? clientOf(row, 'production') : undefined) ?? clientOf(row, 'sandbox');
}

function Mark({ health }: { health: HomeRow['sandbox'] }) {
  return <StatusBadge tone={healthTones[health.level]}>{health.word}</StatusBadge>;
}

function Day({ row }: { row: HomeRow }) {
  const client = mainClient(row);
  if (!client || client.traffic.every(({ total }) => total === 0)) return 'No requests';
  const bars = client.traffic.map(({ hour, total, failed }) => ({ name: hourWords(new Date(hour)), total, failed }));
  return <Bars label={`Requests in the last 24 hours, ${client.environment}`} bars={bars} height={24} />;
}

function LastSync({ row }: { row: HomeRow }) {
  const at = mainClient(row)?.lastSyncAt;
  return <span className={classes.short}>{at ? <Time value={at} /> : 'Never'}</span>;
}

function Next({ row: { slug, nextStep } }: { row: HomeRow }) {
  if (!nextStep) return 'Nothing to do';
  if (!nextStep.act) return nextStep.title;
  return (
    <Anchor component={Link} to={tabPath(nextStep.act, integrationPaths(slug))} inherit>
      {nextStep.title}
    </Anchor>
  );
}
