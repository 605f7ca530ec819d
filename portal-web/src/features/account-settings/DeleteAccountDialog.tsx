import { useNavigate } from 'react-router';
import { useMutation } from 'urql';
import { graphql } from '../../graphql/graphql.ts';
import { paths } from '../../paths.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { counted } from '../../ui/text/counted.ts';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { useSession } from '../session/SessionContext.ts';
import type { Deletion } from './accountSettingsQuery.ts';

const deleteAccountMutation = graphql(`
  mutation DeleteAccount {
    deleteAccount
  }
`);

type DeleteAccountDialogProps = { email: string; deletion: Deletion; onClose: () => void; onRefused: () => void };

/** Lists everything that will be deleted, asks for the passkey, and deletes the account. */
export function DeleteAccountDialog({ email, deletion: { retires }, onClose, onRefused }: DeleteAccountDialogProps) {
  const [, deleteAccount] = useMutation(deleteAccountMutation);
  const confirmed = useFreshPasskey();
  const { leaveAfter } = useSession();
  const navigate = useNavigate();

  async function submit() {
    const { error } = await confirmed(() => deleteAccount({}));
    if (error) {
      if (error.code === 'CONFLICT') onRefused();
      return error.message;
    }
    await leaveAfter(navigate(paths.accountDeleted, { replace: true }));
    return null;
  }

  const retired = retirement(retires.map(({ publicName }) => publicName));
  return (
    <ConsequenceDialog
      title="Delete this account permanently?"
      object={
        <>
          The account of <strong>{email}</strong>
        </>
      }
      count={retires.length === 0 ? 'It has no integrations to retire.' : `${counted(retires.length, 'integration')} to retire`}
      changes={[
        'Your address, passkeys, recovery codes and sessions are removed.',
        ...(retired === null ? [] : [retired]),
        'This cannot be undone.',
      ]}
      unchanged={['The audit trail keeps a record under an anonymous identifier.', 'You can register again with the same address.']}
      takesEffect="At once. You confirm with your passkey, and we send you a final email once the account is deleted."
      verb="Delete permanently"
      tone="danger"
      onConfirm={submit}
      onClose={onClose}
    />
  );
}

const namedAtMost = 5;

function retirement(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const shown = names.slice(0, namedAtMost).map((name) => `“${name}”`);
  const rest = names.length - shown.length;
  const list = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const what =
    names.length === 1
      ? 'is retired, its slug can never be used again, and its'
      : 'are retired, their slugs can never be used again, and their';
  return `${list} ${what} certificates, connections and link codes end.`;
}
