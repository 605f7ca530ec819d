import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { ReasonDialog } from '../administration/ReasonDialog.tsx';
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
        <ReasonDialog
          title={open ? 'Close the service’s gate?' : 'Open the service’s gate?'}
          confirm={open ? 'Close the gate' : 'Open the gate'}
          danger={open}
          onConfirm={move}
          onClose={() => setAsking(false)}
        >
          <Text>
            {open
              ? 'From the next request, every integration gets 403 production_data_disabled for data.'
              : 'From the next request, every active integration whose own gate is open receives production data.'}
          </Text>
        </ReasonDialog>
      )}
    </Panel>
  );
}
