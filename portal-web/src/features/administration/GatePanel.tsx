import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMutation } from 'urql';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { paths } from '../../paths.ts';
import { Facts } from '../../ui/values/Facts.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { AdministeredIntegration } from './integrationQueries.ts';
import { ReasonDialog } from './ReasonDialog.tsx';
import { closeIntegrationGateMutation, openIntegrationGateMutation } from './statusMutations.ts';

type GatePanelProps = { integration: AdministeredIntegration; own: boolean; onChanged: () => void };

/** The integration's own production gate. Production data flows only while the service's gate is open as well. */
export function GatePanel({ integration, own, onChanged }: GatePanelProps) {
  const { productionGate: gate, productionDataEnabled, profile, status } = integration;
  const [asked, setAsked] = useState(false);
  const [, open] = useMutation(openIntegrationGateMutation);
  const [, close] = useMutation(closeIntegrationGateMutation);
  const confirmed = useFreshPasskey();

  async function move(reason: string): Promise<string | null> {
    const variables = { input: { integrationId: integration.id, reason } };
    const { error } = await confirmed<object>(() => (gate.open ? close(variables) : open(variables)));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <Panel
      title="Production gate"
      lead="Approval and activation do not open it."
      marks={<StatusBadge tone={gate.open ? 'good' : 'stopped'}>{gate.open ? 'Open' : 'Closed'}</StatusBadge>}
    >
      <Facts
        facts={[
          ['Changed', gate.changedAt ? <Time key="at" value={gate.changedAt} /> : 'Never'],
          ['Reason', gate.reason ?? 'None recorded'],
          [
            'Production data',
            productionDataEnabled ? (
              status === 'active' ? (
                'Enabled: both gates are open'
              ) : (
                'None: both gates are open, but the integration is not active'
              )
            ) : (
              <ServiceGate key="gate" own={gate.open} />
            ),
          ],
        ]}
      />
      {!own && (gate.open || status !== 'retired') && (
        <Button variant="default" mt="md" onClick={() => setAsked(true)}>
          {gate.open ? 'Close the gate' : 'Open the gate'}
        </Button>
      )}
      {asked && (
        <ReasonDialog
          title={gate.open ? `Close the gate of ${profile.publicName}?` : `Open the gate of ${profile.publicName}?`}
          confirm={gate.open ? 'Close the gate' : 'Open the gate'}
          danger={gate.open}
          onConfirm={move}
          onClose={() => setAsked(false)}
        >
          <Text>
            {gate.open
              ? 'Production link codes, sync, snapshots, histories and statistics stop with the next request.'
              : 'If the service’s gate is open too, production data flows from the next request.'}
          </Text>
        </ReasonDialog>
      )}
    </Panel>
  );
}

function ServiceGate({ own }: { own: boolean }) {
  return (
    <>
      Not enabled: {own ? 'the service’s gate is closed' : 'this gate is closed'}.{' '}
      <Anchor component={Link} to={paths.adminGate} inherit>
        View the service’s gate
      </Anchor>
    </>
  );
}
