import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { healthFacts } from '../../../../server/domain/attention/findings/healthFacts.ts';
import { integrationFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { paths } from '../../paths.ts';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { Address } from '../../ui/values/Address.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { ListedIntegration } from './integrationQueries.ts';

type IntegrationTableProps = {
  integrations: readonly ListedIntegration[];
  /** Whether all are the same operator's, which the page names already. */
  ofOne?: boolean;
};

/** Integrations as administrators see them, each with its owner, its status, how it is as a whole, and its last request. */
export function IntegrationTable({ integrations, ofOne = false }: IntegrationTableProps) {
  const shown = ofOne ? columns.filter(({ header }) => header !== 'Owner') : columns;
  return <DataTable caption="Integrations" columns={shown} rows={integrations} rowKey={({ integration }) => integration.id} />;
}

const columns: readonly Column<ListedIntegration>[] = [
  {
    header: 'Name',
    cell: ({ integration }) => integration.profile.publicName,
    to: ({ integration }) => paths.adminIntegration(integration.slug),
  },
  { header: 'Slug', breaks: true, wide: true, cell: ({ integration }) => <code>{integration.slug}</code> },
  {
    header: 'Owner',
    breaks: true,
    cell: ({ owner }) => (
      <Anchor component={Link} to={paths.adminOperator(owner.id)} inherit>
        {owner.email === null ? 'A deleted account' : <Address value={owner.email} />}
      </Anchor>
    ),
  },
  {
    header: 'Status',
    cell: ({ integration: { status } }) => <StatusBadge tone={integrationFacts[status].tone}>{integrationFacts[status].word}</StatusBadge>,
  },
  { header: 'Health', cell: ({ health }) => <StatusBadge tone={healthFacts[health].tone}>{healthFacts[health].word}</StatusBadge> },
  { header: 'Created', wide: true, cell: ({ integration }) => <Time value={integration.createdAt} /> },
  { header: 'Last request', cell: (row) => <LastRequest {...row} /> },
];

function LastRequest({ integration }: ListedIntegration) {
  const latest = integration.clients
    .map(({ lastRequestAt }) => lastRequestAt ?? '')
    .toSorted()
    .at(-1);
  return latest ? <Time value={latest} /> : 'Never';
}
