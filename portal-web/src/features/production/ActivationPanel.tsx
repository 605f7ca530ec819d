import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { useIntegrationPaths, useReadOnly } from '../integration/ownerView.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { productionClient, type Integration } from '../integration/integrationQuery.ts';
import { ScopeList } from '../scopes/ScopeList.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';

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
  const usable = client.certificatesInUse.some((certificate) => certificate.status === 'issued');
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

function ActivationDialog({ integration: { id, profile }, version, onClose, onActivated }: ActivationDialogProps) {
  const [, activateForProduction] = useMutation(activateForProductionMutation);
  const confirmed = useFreshPasskey();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function activate() {
    setBusy(true);
    setProblem(null);
    const { error } = await confirmed(() => activateForProduction({ input: { integrationId: id, profileVersion: version } }));
    setBusy(false);
    if (error) return setProblem(error.message);
    onClose();
    onActivated();
  }

  return (
    <Modal opened onClose={onClose} title={`Activate ${profile.publicName}?`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <Text>
          Version {version} of its profile becomes eligible for the app’s catalogue, and your production certificate is accepted. You will
          be asked for your passkey.
        </Text>
        <Text>This does not open the production gate. Data is available once an administrator opens it.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={busy} onClick={() => void activate()}>
            Activate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
