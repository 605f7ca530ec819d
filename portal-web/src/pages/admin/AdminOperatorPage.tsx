import { Anchor, Group, Stack } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { pageLoader } from '../../graphql/pageLoader.ts';
import { share } from '../../graphql/questions.ts';
import { allIntegrationsPart, allIntegrationsQuery } from '../../features/administration/integrationQueries.ts';
import { IntegrationTable } from '../../features/administration/IntegrationTable.tsx';
import { LockPanel } from '../../features/administration/LockPanel.tsx';
import { operatorPart, operatorQuery } from '../../features/administration/operatorQueries.ts';
import { ResetPanel } from '../../features/administration/ResetPanel.tsx';
import { RoleBadges } from '../../features/administration/RoleBadges.tsx';
import { RolePanel } from '../../features/administration/RolePanel.tsx';
import { paths } from '../../paths.ts';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { EmptyState } from '../../ui/states/EmptyState.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Time } from '../../ui/time/Time.tsx';

const pageQuery = graphql(
  `
    query OperatorPage($id: ID!, $filter: IntegrationFilterInput!, $order: IntegrationOrder!, $after: String) {
      ...OperatorPart
      ...AllIntegrationsPart
    }
  `,
  [operatorPart, allIntegrationsPart],
);

export const loader = pageLoader(({ ask, params: { id = '' }, plain }) => {
  if (!plain) return ask(operatorQuery, { id });
  const owned = ownedBy(id, null);
  ask(
    pageQuery,
    { id, ...owned },
    share(operatorQuery, { id }, ({ operator }) => ({ operator })),
    share(allIntegrationsQuery, owned, ({ allIntegrations }) => ({ allIntegrations })),
  );
});

/** One account: who it is, its roles and its integrations. */
export function Component() {
  const { id = '' } = useParams();
  const [result, read] = useQuery({ query: operatorQuery, variables: { id }, requestPolicy: 'cache-and-network' });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Loaded result={result} onRetry={reread}>
      {({ operator }) => (
        <Stack gap="lg">
          <PageHeader
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
              ['Operator ID', <Identifier key="id" value={operator.id} label="the operator ID" />],
              ['Registered', <Time key="created" value={operator.createdAt} />],
              ...(operator.deletedAt ? [['Deleted', <Time key="deleted" value={operator.deletedAt} />] as const] : []),
              ['Open sessions', String(operator.access.sessions)],
              ['Passkeys', String(operator.access.passkeys)],
              ['Passkey last used', operator.access.lastUsedAt ? <Time key="used" value={operator.access.lastUsedAt} /> : 'Never'],
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
          {operator.deletedAt === null && <ResetPanel operator={operator} onChanged={reread} />}
          <OwnedIntegrations operatorId={operator.id} />
        </Stack>
      )}
    </Loaded>
  );
}

function ownedBy(operatorId: string, after: string | null): VariablesOf<typeof allIntegrationsQuery> {
  return { filter: { operatorId }, order: 'newest', after };
}

function OwnedIntegrations({ operatorId }: { operatorId: string }) {
  const place = usePlace();
  const [result, read] = useQuery({ query: allIntegrationsQuery, variables: ownedBy(operatorId, place.after) });
  return (
    <Panel title="Integrations">
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ allIntegrations }) => (
          <PagedList
            label="Integrations"
            place={place}
            page={allIntegrations}
            none={<EmptyState kind="nothingYet" title="This account has no integrations." />}
          >
            {(integrations) => <IntegrationTable integrations={integrations} />}
          </PagedList>
        )}
      </LoadedList>
    </Panel>
  );
}
