import { useEffect } from 'react';
import { useQuery } from 'urql';
import type { ResultOf } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { OperatorLink } from '../administration/OperatorLink.tsx';
import { termsVersionsQuery } from './termsQueries.ts';

type TermsVersion = ResultOf<typeof termsVersionsQuery>['termsVersions']['edges'][number]['node'];

/** Every published version, for administrators. Versions never change, so they are read again only when there is a new one. */
export function TermsVersionPanel({ current }: { current: number }) {
  const place = usePlace();
  const [result, read] = useQuery({ query: termsVersionsQuery, variables: { after: place.after } });
  const newest = result.data?.termsVersions.edges[0]?.node.version;
  const isOutdated = place.after === null && newest !== undefined && newest !== current;
  useEffect(() => {
    if (isOutdated) read({ requestPolicy: 'network-only' });
  }, [isOutdated, read]);
  const columns: readonly Column<TermsVersion>[] = [
    { header: 'Version', cell: ({ version, title }) => `Version ${version}: ${title}`, to: ({ version }) => paths.terms(version) },
    { header: 'Current', cell: ({ version }) => version === current && <StatusBadge tone="good">Current</StatusBadge> },
    { header: 'Published', cell: ({ publishedAt }) => <Time value={publishedAt} /> },
    {
      header: 'Published by',
      breaks: true,
      cell: ({ publishedBy, publishedByName }) =>
        publishedBy ? <OperatorLink id={publishedBy} name={publishedByName} /> : 'The service itself',
    },
  ];
  return (
    <Panel title="Versions" lead="Every version ever published. Anybody can read them.">
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ termsVersions }) => (
          <PagedList label="Versions" place={place} page={termsVersions} none={null}>
            {(versions) => <DataTable caption="Versions" columns={columns} rows={versions} rowKey={({ version }) => version} />}
          </PagedList>
        )}
      </LoadedList>
    </Panel>
  );
}
