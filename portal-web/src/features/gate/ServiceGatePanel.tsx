import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { reasonField } from '../administration/reasonField.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { closeServiceGateMutation, openServiceGateMutation } from './gateQueries.ts';

type Gate = { open: boolean; reason: string | null; changedAt: string | null };

/** The gate of the whole service, with a button that opens or closes it. */
export function ServiceGatePanel({ gate: { open, reason, changedAt }, onChanged }: { gate: Gate; onChanged: () => void }) {
  const [asking, setAsking] = useState(false);
  const [, openGate] = useMutation(openServiceGateMutation);
  const [, closeGate] = useMutation(closeServiceGateMutation);
  const confirmed = useFreshPasskey();

  async function move(words: string): Promise<string | null> {
    const variables = { input: { reason: words } };
    const { error } = await (open ? confirmed(() => closeGate(variables)) : confirmed(() => openGate(variables)));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <Panel
      title="The service"
      marks={<StatusBadge tone={open ? 'good' : 'stopped'}>{open ? 'Open' : 'Closed'}</StatusBadge>}
      lead="An integration receives production data while both this gate and its own are open. Capabilities and acknowledgements also work while a gate is closed."
    >
      {changedAt && (
        <Text mb="md" style={{ overflowWrap: 'anywhere' }}>
          {open ? 'Opened' : 'Closed'} <Time value={changedAt} />: {reason}
        </Text>
      )}
      <Button {...(open && { variant: 'default' })} onClick={() => setAsking(true)}>
        {open ? 'Close the gate' : 'Open the gate'}
      </Button>
      {asking && (
        <ConsequenceDialog
          title={open ? 'Close the service’s gate?' : 'Open the service’s gate?'}
          object="The production gate of the whole service"
          changes={[
            open
              ? 'From the next request, every integration gets 403 production_data_disabled for data.'
              : 'From the next request, every active integration whose own gate is open receives production data.',
          ]}
          unchanged={[
            'Each integration’s own gate stays as it is.',
            open ? 'Capabilities and acknowledgements keep working.' : 'Integrations that are not active receive nothing.',
            'Sandboxes keep working, and deletion deadlines keep running.',
          ]}
          reason={{ ...reasonField, description: 'It is recorded in the audit trail.' }}
          verb={open ? 'Close the gate' : 'Open the gate'}
          {...(open && { tone: 'danger' })}
          onConfirm={move}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}
