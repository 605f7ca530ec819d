import { useMutation } from 'urql';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import type { AccountPasskey } from './accountQuery.ts';
import { removePasskeyMutation } from './passkeyMutations.ts';

/** Asks for confirmation, naming the passkey and what removing it does. */
export function RemovePasskeyDialog({ passkey: { id, name }, onClose }: { passkey: AccountPasskey; onClose: () => void }) {
  const [, remove] = useMutation(removePasskeyMutation);
  const confirmed = useFreshPasskey();

  async function submit() {
    const { error } = await confirmed(() => remove({ input: { passkeyId: id } }));
    return error?.message ?? null;
  }

  return (
    <ConsequenceDialog
      title="Remove this passkey?"
      object={<strong>{name}</strong>}
      changes={['It no longer signs you in, from this moment on.']}
      unchanged={[
        'Open sessions stay open. If somebody else has the device, end its session below as well.',
        'The device still lists the passkey until you delete it there.',
      ]}
      verb="Remove passkey"
      tone="danger"
      onConfirm={submit}
      onClose={onClose}
    />
  );
}
