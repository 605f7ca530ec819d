import { useQuery } from 'urql';
import type { ResultOf } from '../../graphql/graphql.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { OperatorLink } from '../administration/OperatorLink.tsx';
import { serviceGateHistoryQuery } from './gateQueries.ts';

type Change = ResultOf<typeof serviceGateHistoryQuery>['serviceGateHistory']['edges'][number]['node'];

/** Who opened or closed the service's gate, when, and why. Give it a new key when the gate has changed. */
export function GateHistory() {
  const place = usePlace();
  const [result, read] = useQuery({
    query: serviceGateHistoryQuery,
    variables: { after: place.after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Panel title="History">
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ serviceGateHistory }) => (
          <PagedList
            label="History of the gate"
            place={place}
            page={serviceGateHistory}
            none={
              <EmptyState kind="nothingYet" title="The gate has never been changed.">
                Every change is listed here with its reason.
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
