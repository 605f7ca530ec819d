import { Alert, Anchor, Code, Stack } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { AdministeredClientPanel } from '../../features/administration/AdministeredClientPanel.tsx';
import { AdministeredTraffic } from '../../features/administration/AdministeredTraffic.tsx';
import { GatePanel } from '../../features/administration/GatePanel.tsx';
import { anyIntegrationQuery } from '../../features/administration/integrationQueries.ts';
import { StatusPanel } from '../../features/administration/StatusPanel.tsx';
import { AgreementPanel } from '../../features/business-model/AgreementPanel.tsx';
import { IntegrationFrame } from '../../features/integration/IntegrationFrame.tsx';
import { lookingAsOwner, OwnerViewContext } from '../../features/integration/ownerView.ts';
import { ProfilePanel } from '../../features/integration/ProfilePanel.tsx';
import { paths } from '../../paths.ts';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Time } from '../../ui/time/Time.tsx';

/** Any integration, with what administrators can decide about it, and the way to its pages as its owner sees them. */
export function Component() {
  const { slug = '' } = useParams();
  const [result, read] = useQuery({ query: anyIntegrationQuery, variables: { slug }, requestPolicy: 'cache-and-network' });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Loaded result={result} onRetry={reread}>
      {({ anyIntegration: { integration, own, owner, deletions } }) => {
        const decided = (
          <Stack gap="lg">
            {own && (
              <Alert variant="light" title="This integration is yours" role="note">
                Nobody administers an integration of their own. Another administrator decides about its status, gate, quotas and agreements,
                or somebody at the server’s terminal with <Code>npm run admin</Code>.
              </Alert>
            )}
            <Facts
              facts={[
                ['Slug', <Identifier key="slug" value={integration.slug} label="the slug" />],
                ['Integration ID', <Identifier key="id" value={integration.id} label="the integration ID" />],
                [
                  'Owner',
                  <Anchor key="owner" component={Link} to={paths.adminOperator(owner.id)} inherit>
                    {owner.email ?? 'A deleted account'}
                  </Anchor>,
                ],
                ['Created', <Time key="created" value={integration.createdAt} />],
                ['Reviewed version', integration.reviewedProfileVersion === null ? 'None yet' : String(integration.reviewedProfileVersion)],
                [
                  'Audit trail',
                  <Anchor key="audit" component={Link} to={`${paths.adminAudit}?way=integration&search=${integration.id}`} inherit>
                    Entries about this integration
                  </Anchor>,
                ],
              ]}
            />
            <StatusPanel integration={integration} own={own} deletions={deletions} onChanged={reread} />
            <GatePanel integration={integration} own={own} onChanged={reread} />
            {integration.clients
              .toSorted((one, other) => one.environment.localeCompare(other.environment))
              .map((client) => (
                <AdministeredClientPanel
                  key={client.id}
                  client={client}
                  fixed={own || integration.status === 'retired'}
                  onChanged={reread}
                />
              ))}
            <AdministeredTraffic clients={integration.clients} />
            <AgreementPanel slug={integration.slug} retired={integration.status === 'retired'} own={own} />
            <ProfilePanel profile={integration.profile} />
          </Stack>
        );
        return own ? (
          <>
            <PageHeader title={integration.profile.publicName} documentTitle={`${integration.profile.publicName} (administration)`} />
            {decided}
          </>
        ) : (
          <OwnerViewContext value={lookingAsOwner}>
            <IntegrationFrame integration={integration}>{decided}</IntegrationFrame>
          </OwnerViewContext>
        );
      }}
    </Loaded>
  );
}
