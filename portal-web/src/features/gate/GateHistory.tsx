import type { ResultOf } from '../../graphql/graphql.ts';
import { Empty } from '../../ui/states/Empty.tsx';
import { Pager } from '../../ui/lists/Pager.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RecordList, RecordRow } from '../../ui/lists/RecordList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { OperatorLink } from '../administration/OperatorLink.tsx';
import type { serviceGateQuery } from './gateQueries.ts';

type GateHistoryProps = {
  history: ResultOf<typeof serviceGateQuery>['serviceGateHistory'];
  after: string;
  onAfter: (after: string) => void;
};

/** Who moved the service's gate, when, and why. */
export function GateHistory({ history: { edges, pageInfo }, after, onAfter }: GateHistoryProps) {
  return (
    <Panel title="History">
      {edges.length === 0 && <Empty>The gate has never been changed. Every change is listed here with its reason.</Empty>}
      <RecordList label="History of the gate">
        {edges.map(({ node }) => (
          <RecordRow
            key={node.id}
            title={node.reason}
            facts={
              <>
                <RelativeTime value={node.changedAt} />,{' '}
                {node.changedBy === 'terminal' ? (
                  'at the server’s terminal'
                ) : (
                  <>
                    by <OperatorLink id={node.changedBy} name={node.changedByName} />
                  </>
                )}
              </>
            }
            marks={<StatusBadge tone={node.open ? 'good' : 'stopped'}>{node.open ? 'Opened' : 'Closed'}</StatusBadge>}
          />
        ))}
      </RecordList>
      <Pager page={pageInfo} after={after} onAfter={onAfter} />
    </Panel>
  );
}
