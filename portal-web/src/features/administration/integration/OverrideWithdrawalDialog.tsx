import { useMutation } from 'urql';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { useFreshPasskey } from '../../passkey/useFreshPasskey.ts';
import type { AdministeredClient, AdministeredIntegration } from '../integrationQueries.ts';
import { quotaWords, type Quota } from './quotaWords.ts';
import { reasonField } from '../reasonField.ts';
import { withdrawQuotaOverrideMutation } from './statusMutations.ts';

type OverrideWithdrawalDialogProps = {
  integration: AdministeredIntegration;
  client: AdministeredClient;
  quota: Quota;
  onClose: () => void;
  onChanged: () => void;
};

/** Asks before a quota of a client returns to the baseline. */
export function OverrideWithdrawalDialog({ integration, client, quota, onClose, onChanged }: OverrideWithdrawalDialogProps) {
  const [, withdrawQuotaOverride] = useMutation(withdrawQuotaOverrideMutation);
  const confirmed = useFreshPasskey();

  async function withdraw(reason: string): Promise<string | null> {
    const { error } = await confirmed(() => withdrawQuotaOverride({ input: { clientId: client.id, quota, reason } }));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`Withdraw this override of ${integration.profile.publicName}?`}
      object={
        <>
          {quotaWords[quota]}, for <code>{client.id}</code> in {client.environment === 'sandbox' ? 'the sandbox' : 'production'}
        </>
      }
      changes={['The baseline applies again from the next request.']}
      unchanged={['All other quotas, and those of the other client.', 'The status and the production gate.']}
      reason={reasonField}
      verb="Withdraw override"
      onConfirm={withdraw}
      onClose={onClose}
    />
  );
}
