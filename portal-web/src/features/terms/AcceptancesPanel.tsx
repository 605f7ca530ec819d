import { Text } from '@mantine/core';
import { useQuery } from 'urql';
import type { ResultOf } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { termsAcceptancesQuery } from './termsQueries.ts';

/** What the operator has accepted, when, and from where. */
export function AcceptancesPanel() {
  const [result, read] = useQuery({ query: termsAcceptancesQuery });
  return (
    <Panel
      title="Accepted terms"
      lead="Each acceptance applies to one version and is not carried forward to later ones. It includes the non-commercial statement and the attribution rules."
    >
      <Loaded shape="text" result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ viewer }) =>
          viewer && viewer.termsAcceptances.length > 0 ? (
            <DataTable
              caption="Accepted terms"
              columns={columns}
              rows={viewer.termsAcceptances}
              rowKey={({ termsVersion }) => termsVersion}
            />
          ) : (
            <Text c="dimmed">You have not accepted any terms yet. You do when you create your first integration.</Text>
          )
        }
      </Loaded>
    </Panel>
  );
}

type Acceptance = NonNullable<ResultOf<typeof termsAcceptancesQuery>['viewer']>['termsAcceptances'][number];

const columns: readonly Column<Acceptance>[] = [
  {
    header: 'Terms',
    cell: ({ termsVersion }) => `Integration Terms, version ${termsVersion}`,
    to: ({ termsVersion }) => paths.terms(termsVersion),
  },
  { header: 'Accepted', cell: ({ acceptedAt }) => <Time value={acceptedAt} /> },
  { header: 'From', breaks: true, cell: ({ ip }) => <code>{ip}</code> },
];
