import { Anchor, Group, Stack } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { allIntegrationsQuery } from '../../features/administration/integrationQueries.ts';
import { IntegrationTable } from '../../features/administration/IntegrationTable.tsx';
import { LockPanel } from '../../features/administration/LockPanel.tsx';
import { operatorQuery } from '../../features/administration/operatorQueries.ts';
import { RoleBadges } from '../../features/administration/RoleBadges.tsx';
import { RolePanel } from '../../features/administration/RolePanel.tsx';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Empty } from '../../ui/states/Empty.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';

/** One account: who it is, its roles and its integrations. */
export function Component() {
  const { id = '' } = useParams();
  const [result, read] = useQuery({ query: operatorQuery, variables: { id }, requestPolicy: 'cache-and-network' });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Loaded result={result} onRetry={reread}>
      {({ operator }) => (
        <Stack gap="lg">
          <PageHeading
            title={operator.email ?? 'Deleted account'}
            // An email address belongs neither in the history nor on a tab of a shared screen.
            documentTitle="Operator"
            marks={
              <Group gap="xs">
                <RoleBadges roles={operator.roles} deleted={operator.deletedAt !== null} locked={operator.lockedAt !== null} />
              </Group>
            }
          />
          <Facts
            facts={[
              ['Operator ID', <CopyableCode key="id" value={operator.id} label="the operator ID" />],
              ['Registered', <RelativeTime key="created" value={operator.createdAt} />],
              ...(operator.deletedAt ? [['Deleted', <RelativeTime key="deleted" value={operator.deletedAt} />] as const] : []),
              ['Open sessions', String(operator.access.sessions)],
              ['Passkeys', String(operator.access.passkeys)],
              ['Passkey last used', operator.access.lastUsedAt ? <RelativeTime key="used" value={operator.access.lastUsedAt} /> : 'Never'],
              [
                'Audit trail',
                <Group key="audit" gap="md">
                  <Anchor component={Link} to={`${paths.adminAudit}?way=operator&search=${operator.id}`} inherit>
                    Entries about this account
                  </Anchor>
                  <Anchor component={Link} to={`${paths.adminAudit}?way=actor&search=${operator.id}`} inherit>
                    Entries by this account
                  </Anchor>
                </Group>,
              ],
            ]}
          />
          <RolePanel operator={operator} onChanged={reread} />
          {operator.deletedAt === null && <LockPanel operator={operator} onChanged={reread} />}
          <OwnedIntegrations operatorId={operator.id} />
        </Stack>
      )}
    </Loaded>
  );
}

function OwnedIntegrations({ operatorId }: { operatorId: string }) {
  const place = usePlace();
  const variables = { filter: { operatorId }, order: 'newest', after: place.after } as const;
  const [result, read] = useQuery({ query: allIntegrationsQuery, variables });
  return (
    <Panel title="Integrations">
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ allIntegrations }) => (
          <PagedList label="Integrations" place={place} page={allIntegrations} none={<Empty>This account has no integrations.</Empty>}>
            {(integrations) => <IntegrationTable integrations={integrations} />}
          </PagedList>
        )}
      </LoadedList>
    </Panel>
  );
}
