import { useMutation } from 'urql';
import { missedDeadline } from '../../../../../server/domain/notification/words/consequences.ts';
import { describeError } from '../../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { revokeSandboxShareMutation } from './sandboxMutations.ts';

/** What is to be revoked: one resource, or a connection, with how many resources it shares now where that is known. */
export type RevokedShare = { readonly resourceId: string } | { readonly connectionId: string; readonly liveResources: number | null };
type RevokeShareDialogProps = { clientId: string; share: RevokedShare; onDone?: () => void; onClose: () => void };

/** Says what a revocation requires of the operator's back end, and revokes the share. */
export function RevokeShareDialog({ clientId, share, onDone, onClose }: RevokeShareDialogProps) {
  const [, revokeShare] = useMutation(revokeSandboxShareMutation);
  const isResource = 'resourceId' in share;

  async function revoke() {
    const named = isResource ? { resourceId: share.resourceId } : { connectionId: share.connectionId };
    const { data, error } = await revokeShare({ input: { clientId, ...named } });
    if (error || !data) return describeError(error).message;
    onDone?.();
    return null;
  }

  const what = isResource
    ? 'Access to it'
    : `Access to everything it shares${share.liveResources === null ? '' : ` (${share.liveResources} now)`}`;
  return (
    <ConsequenceDialog
      title={isResource ? 'Revoke this resource?' : 'Revoke this connection?'}
      object={<code>{isResource ? share.resourceId : share.connectionId}</code>}
      changes={[
        `${what} ends with the next request, as when a user revokes it.`,
        'Your back end receives tombstones and must delete every copy. The deletion must be acknowledged, or recorded in the portal, within 7 days.',
        'This cannot be undone.',
      ]}
      unchanged={[
        isResource ? 'What else its connection shares stays.' : 'Other connections stay.',
        `In the sandbox, a missed deadline has no consequence. ${missedDeadline}`,
      ]}
      verb="Revoke"
      tone="danger"
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
