import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { useSession } from '../session/SessionContext.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { lockAccountMutation, unlockAccountMutation, type OperatorRecord } from './operatorQueries.ts';
import { reasonField } from './reasonField.ts';

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
        <ConsequenceDialog
          title={locked ? 'Unlock this account?' : 'Lock this account?'}
          object={operator.email}
          changes={
            locked
              ? ['The owner can sign in again.', 'We email the reason to the owner.']
              : [
                  'All its sessions end.',
                  'Nobody can sign in with a passkey or a recovery code until an administrator unlocks the account.',
                  'We email the reason to the owner.',
                ]
          }
          unchanged={
            locked
              ? ['Passkeys and recovery codes work as before.']
              : ['Its integrations keep running.', 'Deletion deadlines keep running.']
          }
          reason={reasonField}
          verb={locked ? 'Unlock account' : 'Lock account'}
          {...(!locked && { tone: 'danger' })}
          onConfirm={change}
          onClose={() => setAsked(false)}
        />
      )}
    </Panel>
  );
}
