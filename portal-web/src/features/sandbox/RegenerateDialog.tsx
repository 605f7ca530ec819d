import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { regenerateSandboxCorpusMutation } from './sandboxMutations.ts';
import type { Sandbox } from './sandboxQueries.ts';

type RegenerateDialogProps = { clientId: string; name: string; sandbox: Sandbox; onClose: () => void };

/** Says what regenerating the test data discards, and regenerates it. */
export function RegenerateDialog({ clientId, name, sandbox, onClose }: RegenerateDialogProps) {
  const [, regenerate] = useMutation(regenerateSandboxCorpusMutation);

  async function confirm() {
    const { data, error } = await regenerate({ input: { clientId } });
    return error || !data ? describeError(error).message : null;
  }

  return (
    <ConsequenceDialog
      title={`Regenerate the test data of ${name}?`}
      object="The sandbox"
      changes={[
        `All connections (${sandbox.connections}), orders (${sandbox.orders}) and stock vehicles (${sandbox.vehicles}) disappear, with every link code and identifier: a request for anything you have stored gets 404, never 410.`,
        'Tombstones and outstanding deletions disappear too: acknowledging an old revocation gets 404.',
        <>
          Stored cursors are refused with <code>invalid_cursor</code>. A recovery sync brings the new data; your back end deletes whatever
          it does not bring.
        </>,
      ]}
      unchanged={['Certificates, scopes and quotas stay.']}
      takesEffect="The current data stays until the new data is ready. You can do this 6 times an hour."
      verb="Regenerate"
      tone="danger"
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
