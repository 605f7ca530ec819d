import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { paths } from '../../paths.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Pager } from '../../ui/lists/Pager.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RecordList, RecordRow } from '../../ui/lists/RecordList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { OperatorLink } from '../administration/OperatorLink.tsx';
import { termsVersionsQuery } from './termsQueries.ts';

/** Every published version, for administrators; give it a new key when there is a new one. */
export function TermsVersionList({ current }: { current: number }) {
  const [{ after }, change] = useUrlFilters([]);
  const [result, read] = useQuery({ query: termsVersionsQuery, variables: { after: after || null }, requestPolicy: 'cache-and-network' });
  return (
    <Panel title="Versions" lead="Every version ever published. Anybody can read them.">
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ termsVersions: { edges, pageInfo } }) => (
          <>
            <RecordList label="Versions">
              {edges.map(({ node: { version, title, publishedAt, publishedBy, publishedByName } }) => (
                <RecordRow
                  key={version}
                  title={
                    <Anchor component={Link} to={paths.terms(version)} fw={600}>
                      Version {version}: {title}
                    </Anchor>
                  }
                  facts={
                    <>
                      Published <RelativeTime value={publishedAt} />
                      {publishedBy ? (
                        <>
                          {' '}
                          by <OperatorLink id={publishedBy} name={publishedByName} />
                        </>
                      ) : (
                        ' with the service itself'
                      )}
                    </>
                  }
                  marks={version === current && <StatusBadge tone="good">Current</StatusBadge>}
                />
              ))}
            </RecordList>
            <Pager page={pageInfo} after={after} onAfter={(cursor) => change({ after: cursor })} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
