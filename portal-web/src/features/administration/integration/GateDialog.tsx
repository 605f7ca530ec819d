import { useMutation } from 'urql';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { useFreshPasskey } from '../../passkey/useFreshPasskey.ts';
import type { AdministeredIntegration } from '../integrationQueries.ts';
import { mailedReasonField } from '../reasonField.ts';
import { closeIntegrationGateMutation, openIntegrationGateMutation } from './statusMutations.ts';

type GateDialogProps = { integration: AdministeredIntegration; onChanged: () => void; onClose: () => void };

/** Asks before the integration's own production gate is opened or closed. */
export function GateDialog({ integration, onChanged, onClose }: GateDialogProps) {
  const { id, slug, profile, productionGate } = integration;
  const [, open] = useMutation(openIntegrationGateMutation);
  const [, close] = useMutation(closeIntegrationGateMutation);
  const confirmed = useFreshPasskey();
  const verb = productionGate.open ? 'Close the gate' : 'Open the gate';

  async function move(reason: string): Promise<string | null> {
    const variables = { input: { integrationId: id, reason } };
    const { error } = await confirmed<object>(() => (productionGate.open ? close(variables) : open(variables)));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`${verb} of ${profile.publicName}?`}
      object={<code>{slug}</code>}
      changes={[
        productionGate.open
          ? 'Production link codes, sync, snapshots, histories and statistics stop with the next request.'
          : 'If the service’s gate is open too, production data flows from the next request of an active integration.',
      ]}
      unchanged={['The status and the quotas stay as they are.', 'The sandbox keeps working.', 'The service’s own gate does not move.']}
      reason={mailedReasonField}
      verb={verb}
      {...(productionGate.open && { tone: 'danger' })}
      onConfirm={move}
      onClose={onClose}
    />
  );
}
