import { Anchor, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import { certificateFacts } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { productionClient, type Integration } from '../../../features/integration/integrationQuery.ts';
import { ScopeList } from '../../../features/scopes/ScopeList.tsx';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { useSession } from '../../../features/session/SessionContext.ts';
import { TermsLink } from './TermsLink.tsx';

const activateForProductionMutation = graphql(`
  mutation ActivateForProduction($input: ActivateForProductionInput!) {
    activateForProduction(input: $input) {
      id
      status
    }
  }
`);

type ActivationPanelProps = { integration: Integration; onActivated: () => void };

/**
 * What was approved, and the button with which the owner activates exactly that. Shows nothing before an approval.
 */
export function ActivationPanel({ integration, onActivated }: ActivationPanelProps) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  const [asking, setAsking] = useState(false);
  const client = productionClient(integration);
  const { reviewedProfileVersion, availableActions } = integration;
  if (!client || reviewedProfileVersion === null) return null;
  const open = !readOnly && availableActions.includes('activateForProduction');
  const usable = client.certificatesInUse.some((certificate) => certificateFacts[certificate.status].stage === 'working');
  return (
    <Panel
      title="Activation"
      marks={<EnvironmentTag environment="production" />}
      lead="The reviewers approved this version with these scopes. Activate it to go live."
    >
      <Stack gap="md">
        <Facts
          facts={[
            ['Reviewed profile', `Version ${reviewedProfileVersion}`],
            ['Scopes', <ScopeList key="scopes" scopes={client.scopes} />],
            ['Client ID', <Identifier key="id" value={client.id} label="the production client ID" />],
            [
              'Certificate',
              <span key="certificate">
                {usable ? 'Issued' : 'None yet'},{' '}
                <Anchor component={Link} to={to.certificates({ environment: 'production' })} inherit>
                  go to production certificates
                </Anchor>
              </span>,
            ],
          ]}
        />
        {open && (
          <Button w="fit-content" onClick={() => setAsking(true)}>
            Activate for production
          </Button>
        )}
      </Stack>
      {asking && (
        <ActivationDialog
          integration={integration}
          version={reviewedProfileVersion}
          onClose={() => setAsking(false)}
          onActivated={onActivated}
        />
      )}
    </Panel>
  );
}

type ActivationDialogProps = { integration: Integration; version: number; onClose: () => void; onActivated: () => void };

function ActivationDialog({ integration: { id, profile, slug }, version, onClose, onActivated }: ActivationDialogProps) {
  const [, activateForProduction] = useMutation(activateForProductionMutation);
  const confirmed = useFreshPasskey();
  const { refresh } = useSession();

  async function activate() {
    const { error } = await confirmed(() => activateForProduction({ input: { integrationId: id, profileVersion: version } }));
    if (error) {
      refresh();
      return error.message;
    }
    onActivated();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`Activate ${profile.publicName}?`}
      object={
        <>
          Version {version} of the profile of <strong>{profile.publicName}</strong>, <code>{slug}</code>
        </>
      }
      changes={['It becomes eligible for the app’s catalogue.', 'Your production certificate is accepted.']}
      unchanged={[
        'The production gate does not open. Data is available once an administrator opens it.',
        'The sandbox and its certificates work as before.',
      ]}
      takesEffect="At once. You will be asked for your passkey."
      verb="Activate"
      onConfirm={activate}
      onClose={onClose}
    >
      <TermsLink />
    </ConsequenceDialog>
  );
}
