import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { useSession } from '../session/SessionContext.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { lockAccountMutation, unlockAccountMutation, type OperatorRecord } from './operatorQueries.ts';
import { ReasonDialog } from './ReasonDialog.tsx';

/** Shows whether an account is locked, and locks or unlocks it. */
export function LockPanel({ operator, onChanged }: { operator: OperatorRecord; onChanged: () => void }) {
  const [asked, setAsked] = useState(false);
  const { viewer } = useSession();
  const [, lockAccount] = useMutation(lockAccountMutation);
  const [, unlockAccount] = useMutation(unlockAccountMutation);
  const confirmed = useFreshPasskey();
  const locked = operator.lockedAt !== null;

  async function change(reason: string): Promise<string | null> {
    const variables = { input: { operatorId: operator.id, reason } };
    const { error } = await (locked ? confirmed(() => unlockAccount(variables)) : confirmed(() => lockAccount(variables)));
    if (error) return error.message;
    onChanged();
    return null;
  }

  return (
    <Panel
      title="Sign-in"
      lead="While an account is locked, nobody can sign in to it. Its integrations keep their machine access; suspend them to stop that."
    >
      {operator.lockedAt && (
        <Text style={{ overflowWrap: 'anywhere' }} mb="sm">
          Locked <Time value={operator.lockedAt} />: {operator.lockReason}
        </Text>
      )}
      {viewer?.operatorId === operator.id ? (
        <Text size="sm">This account is yours. Only another administrator can lock it.</Text>
      ) : (
        <Button variant="default" color={locked ? undefined : 'red'} onClick={() => setAsked(true)}>
          {locked ? 'Unlock account' : 'Lock account'}
        </Button>
      )}
      {asked && (
        <ReasonDialog
          title={locked ? 'Unlock this account?' : 'Lock this account?'}
          confirm={locked ? 'Unlock account' : 'Lock account'}
          danger={!locked}
          onConfirm={change}
          onClose={() => setAsked(false)}
        >
          <Text style={{ overflowWrap: 'anywhere' }}>
            {locked
              ? `${operator.email} can sign in again. Passkeys and recovery codes work as before.`
              : `All sessions of ${operator.email} end, and nobody can sign in with a passkey or a recovery code until an administrator unlocks the account. Its integrations keep running.`}
          </Text>
          <Text c="dimmed">We email the reason to the owner.</Text>
        </ReasonDialog>
      )}
    </Panel>
  );
}
