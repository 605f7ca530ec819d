import { Stack } from '@mantine/core';
import { Deletions } from '../../features/deletions/Deletions.tsx';
import { outstandingDeletions, revocationsPage, revocationsQuery } from '../../features/deletions/revocationsQuery.ts';
import { useEnvironment } from '../../features/integration/environment.ts';
import { clientsTabLoader } from '../../features/integration/tabLoader.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';

export const loader = clientsTabLoader(revocationsQuery, (slug, { environment }) =>
  revocationsPage(slug, environment, outstandingDeletions, null),
);

/** What the operator has to delete in one environment, how long there is, and what has been deleted. */
export function Component() {
  const { clients } = useIntegration().integration;
  const [shown] = useEnvironment();
  const client = clients.find(({ environment }) => environment === shown);
  if (!client) return <ErrorMessage message="This integration has no client." />;
  return (
    <Stack gap="md">
      <Deletions key={client.id} client={client} />
    </Stack>
  );
}
