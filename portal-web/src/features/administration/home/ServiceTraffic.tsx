import { Anchor, Text } from '@mantine/core';
import { paths } from '../../../paths.ts';
import { Bars } from '../../../ui/charts/Bars.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../../ui/lists/DataTable.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { hourWords } from '../../../ui/time/timeWords.ts';
import type { AdminHome } from './homeQuery.ts';

type Refusal = NonNullable<AdminHome['refusals']>[number];

/** The requests of all clients in the last 24 hours, and why some of them were refused. */
export function ServiceTraffic({ traffic, refusals }: Pick<AdminHome, 'traffic' | 'refusals'>) {
  return (
    <Panel title="Last 24 hours">
      {traffic ? <Requests traffic={traffic} /> : <NotRead what="The requests" />}
      {refusals ? (
        refusals.length > 0 && (
          <DataTable caption="Refusals of the last 24 hours" columns={columns} rows={refusals} rowKey={({ problem }) => problem} />
        )
      ) : (
        <NotRead what="The reasons for refusals" />
      )}
    </Panel>
  );
}

function Requests({ traffic }: { traffic: NonNullable<AdminHome['traffic']> }) {
  const all = traffic.reduce((sum, { total }) => sum + total, 0);
  const refused = traffic.reduce((sum, { failed }) => sum + failed, 0);
  return (
    <>
      {all > 0 && (
        <Bars
          label="Requests of all clients in the last 24 hours"
          bars={traffic.map(({ hour, total, failed }) => ({ name: hourWords(new Date(hour)), total, failed }))}
          failedWord="refused or failed"
          height={56}
        />
      )}
      <Text size="sm" mt="xs" mb={refused > 0 ? 'sm' : 0}>
        {all === 0 ? 'No requests.' : `${counted(all, 'request')}, ${refused.toLocaleString('en')} refused or failed.`}
      </Text>
    </>
  );
}

const columns: readonly Column<Refusal>[] = [
  {
    header: 'Problem',
    cell: ({ problem }) => (
      <Anchor href={paths.problem(problem)} inherit>
        <code>{problem}</code>
      </Anchor>
    ),
  },
  { header: 'Requests', cell: ({ requests, more }) => `${more ? 'at least ' : ''}${requests.toLocaleString('en')}` },
  { header: 'Integrations', cell: ({ integrations }) => integrations.toLocaleString('en') },
];

/** What could not be read is said: an empty place would look as if there was nothing. */
export function NotRead({ what }: { what: string }) {
  return (
    <Text size="sm" c="dimmed">
      {what} could not be read. Nothing is known about them.
    </Text>
  );
}
