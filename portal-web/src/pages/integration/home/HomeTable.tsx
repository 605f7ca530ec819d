import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { healthFacts } from '../../../../../server/domain/attention/findings/healthFacts.ts';
import { overlapDays } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { tabPath } from '../../../features/attention/actPath.ts';
import type { HomeRow } from './homeQuery.ts';
import classes from './HomeTable.module.css';
import { stopInRow, toDoWords } from '../../../features/attention/healthWords.ts';
import { integrationPaths } from '../../../paths.ts';
import { Bars } from '../../../ui/charts/Bars.tsx';
import { DataTable } from '../../../ui/lists/DataTable.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { useNow } from '../../../ui/time/useNow.ts';
import { useMomentWords } from '../../../ui/time/useZone.ts';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';

/** The operator’s integrations: how each is in both environments, its last day, and its one next act. */
export function HomeTable({ rows, told }: { rows: readonly HomeRow[]; told: readonly string[] }) {
  return (
    <DataTable
      caption="Your integrations"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Name', cell: ({ profile }) => profile.publicName, to: ({ slug }) => integrationPaths(slug).overview(), breaks: true },
        { header: 'Sandbox', cell: ({ sandbox }) => <Mark health={sandbox} /> },
        {
          header: 'Production',
          cell: (row) => (hasProduction(row) ? <ProductionMark row={row} /> : <NotYet row={row} told={told.includes(row.id)} />),
        },
        { header: 'Certificate ends', cell: (row) => <CertificateEnds row={row} /> },
        { header: 'Last 24 hours', wide: true, cell: (row) => <Day row={row} /> },
        { header: 'Last sync', wide: true, cell: (row) => <LastSync row={row} /> },
        { header: 'Next', cell: (row) => <Next row={row} /> },
      ]}
    />
  );
}

function hasProduction({ clients }: HomeRow): boolean {
  return clients.some(({ environment }) => environment === 'production');
}

/** Where a first submission is still to come, this says what is missing of it and leads there, unless a line above the table has told it. */
function NotYet({ row: { slug, missingForReview }, told }: { row: HomeRow; told: boolean }) {
  if (missingForReview === null || told) return 'Not yet';
  return (
    <>
      Not yet
      <Text component="div" size="xs" className={classes.note}>
        <Anchor component={Link} to={integrationPaths(slug).production()} inherit>
          Missing for the review: {missingForReview}
        </Anchor>
      </Text>
    </>
  );
}

function ProductionMark({ row: { production } }: { row: HomeRow }) {
  const stop = stopInRow(production.level);
  return (
    <>
      <Mark health={production} />
      {stop && (
        <Text component="div" size="xs" mt={2} className={classes.note}>
          {stop}
        </Text>
      )}
    </>
  );
}

/** When the certificates of each environment end, in days where that is soon. */
function CertificateEnds({ row }: { row: HomeRow }) {
  return (['sandbox', 'production'] as const).map((environment) => {
    if (environment === 'production' && !hasProduction(row)) return null;
    const ends = row[environment].certificateEnds;
    return (
      <div key={environment} className={classes.ends}>
        <Text component="span" size="xs" c="dimmed">
          {environment === 'sandbox' ? 'Sandbox' : 'Production'}
        </Text>
        <span>
          {ends.length === 0 && 'None'}
          {ends.map((end) => (
            <CertificateEnd key={end} end={end} tone={environment === 'production' ? 'bad' : 'waiting'} />
          ))}
        </span>
      </div>
    );
  });
}

/** From when on the owner is asked for the next certificate. */
const noticed = overlapDays * 24 * 60 * 60_000;

/** `tone`: once it has ended, since an ended one of the sandbox stops nobody’s data. */
function CertificateEnd({ end, tone }: { end: string; tone: 'bad' | 'waiting' }) {
  const left = Date.parse(end) - useNow().getTime();
  if (left > noticed) return <Time value={end} form="date" />;
  return (
    <span className={classes.soon} data-tone={left > 0 ? 'waiting' : tone}>
      {left > 0 ? '' : 'ended '}
      <Time value={end} />
      <Text component="div" size="xs" c="dimmed">
        <Time value={end} form="date" />
      </Text>
    </span>
  );
}

/** Which of two environments a cell is about. */
function Where({ row }: { row: HomeRow }) {
  if (!hasProduction(row)) return null;
  return (
    <Text component="div" size="xs" c="dimmed">
      {row.clientInUse.environment === 'sandbox' ? 'Sandbox' : 'Production'}
    </Text>
  );
}

function Mark({ health }: { health: HomeRow['sandbox'] }) {
  return <StatusBadge tone={healthFacts[health.level].tone}>{health.word}</StatusBadge>;
}

function Day({ row }: { row: HomeRow }) {
  const { hourInZone } = useMomentWords();
  const { traffic, environment } = row.clientInUse;
  if (traffic.every(({ total }) => total === 0))
    return (
      <>
        No requests
        <Where row={row} />
      </>
    );
  const bars = traffic.map(({ hour, ...counts }) => ({ name: hourInZone(new Date(hour)), ...counts }));
  return (
    <>
      <Bars label={`Requests in the last 24 hours, ${environment}`} bars={bars} height={24} />
      <Where row={row} />
    </>
  );
}

function LastSync({ row }: { row: HomeRow }) {
  const at = row.clientInUse.lastSyncAt;
  return (
    <>
      <span className={classes.short}>{at ? <Time value={at} /> : 'Never'}</span>
      <Where row={row} />
    </>
  );
}

/** What comes next; of what needs the owner, which is listed above the table or on the overview, only how much it is. */
function Next({ row: { slug, nextStep, sandbox, production } }: { row: HomeRow }) {
  if (!nextStep) return 'Nothing to do';
  if (nextStep.level !== null) {
    return (
      <Anchor component={Link} to={integrationPaths(slug).overview()} inherit>
        {toDoWords(nextStep.title, sandbox.needs + production.needs)}
      </Anchor>
    );
  }
  if (!nextStep.act) return nextStep.title;
  return (
    <Anchor component={Link} to={tabPath(nextStep.act, integrationPaths(slug))} inherit>
      {nextStep.title}
    </Anchor>
  );
}
