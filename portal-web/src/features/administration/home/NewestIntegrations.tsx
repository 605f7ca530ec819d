import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { integrationFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import { paths } from '../../../paths.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../../ui/lists/DataTable.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import type { NewIntegration } from './homeQuery.ts';

/** The integrations that were created last. */
export function NewestIntegrations({ integrations }: { integrations: readonly NewIntegration[] }) {
  return (
    <Panel title="Newest integrations">
      {integrations.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nobody has created one yet.
        </Text>
      ) : (
        <DataTable caption="Newest integrations" columns={columns} rows={integrations} rowKey={({ id }) => id} />
      )}
      <Text size="sm" mt="sm">
        <Anchor component={Link} to={paths.adminIntegrations} inherit>
          All integrations
        </Anchor>
      </Text>
    </Panel>
  );
}

const columns: readonly Column<NewIntegration>[] = [
  { header: 'Name', cell: ({ profile }) => profile.publicName, to: ({ slug }) => paths.adminIntegration(slug) },
  {
    header: 'Status',
    cell: ({ status }) => <StatusBadge tone={integrationFacts[status].tone}>{integrationFacts[status].word}</StatusBadge>,
  },
  { header: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
];
