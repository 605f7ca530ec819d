import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import type { Integration } from '../integration/integrationQuery.ts';

const removeLogoMutation = graphql(`
  mutation RemoveLogo($input: RemoveLogoInput!) {
    removeLogo(input: $input) {
      id
      profile {
        version
      }
    }
  }
`);

type RemoveLogoDialogProps = { integration: Integration; onClose: () => void; onRemoved: () => void };

/** Asks for confirmation, naming the integration and what removing its logo does. */
export function RemoveLogoDialog({ integration: { id, profile }, onClose, onRemoved }: RemoveLogoDialogProps) {
  const [, removeLogo] = useMutation(removeLogoMutation);

  async function remove() {
    const { error } = await removeLogo({ input: { integrationId: id } });
    if (error) return describeError(error).message;
    onRemoved();
    return null;
  }

  return (
    <ConsequenceDialog
      title="Remove the logo?"
      object={
        <>
          The logo of <strong>{profile.publicName}</strong>
        </>
      }
      changes={[
        `Version ${profile.version + 1} of the profile has no logo.`,
        'You must upload another one before you submit for production review.',
      ]}
      unchanged={['Earlier versions keep theirs.']}
      verb="Remove logo"
      tone="danger"
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
