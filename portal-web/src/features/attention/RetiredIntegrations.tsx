import { Button, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { integrationPaths } from '../../paths.ts';
import { DataTable } from '../../ui/lists/DataTable.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { Time } from '../../ui/time/Time.tsx';
import { retiredQuery } from './homeQuery.ts';

/** The integrations that are retired, folded until they are asked for. Whether they are shown stands in the address. */
export function RetiredIntegrations({ count }: { count: number }) {
  const [{ retired }, change] = useUrlFilters(['retired'], 'retired');
  const shown = retired === 'shown';
  if (count === 0) return null;
  return (
    <Stack gap="xs" mt="lg" align="flex-start">
      <Button variant="subtle" size="compact-sm" aria-expanded={shown} onClick={() => change({ retired: shown ? '' : 'shown' })}>
        Retired ({count.toLocaleString('en')})
      </Button>
      {shown && <RetiredList />}
    </Stack>
  );
}

function RetiredList() {
  const place = usePlace('retired');
  const [result, read] = useQuery({ query: retiredQuery, variables: { first: 20, after: place.after } });
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ integrations }) => (
        <PagedList label="Retired integrations" place={place} page={integrations} none={null}>
          {(rows) => (
            <DataTable
              caption="Retired integrations"
              rows={rows}
              rowKey={({ id }) => id}
              columns={[
                {
                  header: 'Name',
                  cell: ({ profile }) => profile.publicName,
                  to: ({ slug }) => integrationPaths(slug).overview(),
                  breaks: true,
                },
                {
                  header: 'Retired',
                  cell: ({ statusChangedAt }) => (statusChangedAt ? <Time value={statusChangedAt} /> : 'Unknown'),
                },
              ]}
            />
          )}
        </PagedList>
      )}
    </LoadedList>
  );
}
