import { Alert, Anchor, Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { isOver } from '../../features/integration/integrationQuery.ts';
import { AccessPanel } from '../../features/administration/integration/AccessPanel.tsx';
import { ClientsPanel } from '../../features/administration/integration/ClientsPanel.tsx';
import { Decisions } from '../../features/administration/integration/Decisions.tsx';
import { IntegrationActs } from '../../features/administration/integration/IntegrationActs.tsx';
import { OwnerPanel } from '../../features/administration/integration/OwnerPanel.tsx';
import { anyIntegrationQuery, type AdministeredIntegration } from '../../features/administration/integrationQueries.ts';
import { AgreementPanel } from '../../features/business-model/AgreementPanel.tsx';
import { IntegrationFrame } from '../../features/integration/IntegrationFrame.tsx';
import { lookingAsOwner, OwnerViewContext } from '../../features/integration/ownerView.ts';
import { integrationPaths } from '../../paths.ts';
import { Columns } from '../../ui/layout/Columns.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';

/** Any integration, with what administrators can decide about it, and the way to its pages as its owner sees them. */
export function Component() {
  const { slug = '' } = useParams();
  const [result, read] = useQuery({ query: anyIntegrationQuery, variables: { slug }, requestPolicy: 'cache-and-network' });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Loaded result={result} onRetry={reread}>
      {({ anyIntegration: { integration, own, owner, deletions, decisions } }) => {
        const parts = (
          <Columns
            still
            side={
              <>
                <OwnerPanel integration={integration} owner={owner} />
                <Decisions integrationId={integration.id} decisions={decisions} />
              </>
            }
          >
            <AccessPanel integration={integration} deletions={deletions} />
            <ClientsPanel integration={integration} fixed={own || isOver(integration)} onChanged={reread} />
            <AgreementPanel name={integration.profile.publicName} businessModel={integration} own={own} onChanged={reread} />
          </Columns>
        );
        return own ? (
          <Own integration={integration}>{parts}</Own>
        ) : (
          <OwnerViewContext value={lookingAsOwner}>
            <IntegrationFrame integration={integration} actions={<IntegrationActs integration={integration} onChanged={reread} />}>
              {parts}
            </IntegrationFrame>
          </OwnerViewContext>
        );
      }}
    </Loaded>
  );
}

/** An administrator's own integration: it is only looked at here. */
function Own({ integration: { slug, profile }, children }: { integration: AdministeredIntegration; children: ReactNode }) {
  return (
    <>
      <PageHeader title={profile.publicName} documentTitle={`${profile.publicName} (administration)`} />
      <Alert variant="light" title="This integration is yours" role="note" mb="md">
        Nobody administers an integration of their own. Another administrator decides about its status, gate, quotas and agreements, or
        somebody at the server’s terminal with <Code>npm run admin</Code>.{' '}
        <Anchor component={Link} to={integrationPaths(slug).overview()} inherit>
          View it as its owner
        </Anchor>
      </Alert>
      {children}
    </>
  );
}
