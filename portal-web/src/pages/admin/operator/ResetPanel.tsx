import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { useSession } from '../../../features/session/SessionContext.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { LongText } from '../../../ui/forms/LongText.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import {
  approveAccountResetMutation,
  cancelAnyAccountResetMutation,
  requestAccountResetMutation,
  type OperatorRecord,
} from '../../../features/administration/operatorQueries.ts';
import { mailedReasonField } from '../../../features/administration/reasonField.ts';

type Act = 'request' | 'approve' | 'cancel';

/** Two administrators give an account back whose passkeys and recovery codes are gone. */
export function ResetPanel({ operator, onChanged }: { operator: OperatorRecord; onChanged: () => void }) {
  const [asked, setAsked] = useState<Act | null>(null);
  const [proof, setProof] = useState('');
  const { viewer } = useSession();
  const [, request] = useMutation(requestAccountResetMutation);
  const [, approve] = useMutation(approveAccountResetMutation);
  const [, cancel] = useMutation(cancelAnyAccountResetMutation);
  const confirmed = useFreshPasskey();
  const { reset } = operator;
  const own = viewer?.operatorId === operator.id;

  async function act(reason: string): Promise<string | null> {
    const input = { resetId: reset?.id ?? '' };
    const { error } = await confirmed<unknown>(() =>
      asked === 'request'
        ? request({ input: { operatorId: operator.id, reason, proof } })
        : asked === 'approve'
          ? approve({ input })
          : cancel({ input }),
    );
    if (error) return error.message;
    setProof('');
    onChanged();
    return null;
  }

  return (
    <Panel
      title="Lost access"
      lead="For an owner who has neither a passkey nor a recovery code left. Two administrators agree, the owner has 72 hours to object, and then a link that is emailed to the account’s address creates a new passkey."
    >
      {reset && (
        <Facts
          facts={[
            ['Asked for', <Time key="at" value={reset.requestedAt} />],
            ['By', <Identifier key="by" value={reset.requestedBy} label="the administrator’s ID" />],
            ['Reason', reset.reason],
            ['Proof', reset.proof],
            ['Usable from', reset.dueAt ? <Time key="due" value={reset.dueAt} /> : 'Not approved yet'],
          ]}
        />
      )}
      {own ? (
        <Text size="sm">This account is yours. Two other administrators can reset it.</Text>
      ) : reset ? (
        <Group gap="sm" mt="sm">
          {reset.dueAt === null && reset.requestedBy !== viewer?.operatorId && (
            <Button variant="default" onClick={() => setAsked('approve')}>
              Approve reset
            </Button>
          )}
          <Button variant="default" onClick={() => setAsked('cancel')}>
            Cancel reset
          </Button>
        </Group>
      ) : (
        <Button variant="default" onClick={() => setAsked('request')}>
          Request a reset
        </Button>
      )}
      {asked === 'request' && (
        <ConsequenceDialog
          title="Request a reset of this account?"
          object={operator.email}
          changes={['Another administrator can approve it.', 'We email the reason to the owner, who can cancel it when signed in.']}
          unchanged={['Passkeys, recovery codes and sessions work until the owner uses the reset.', 'Its integrations keep running.']}
          reason={mailedReasonField}
          verb="Request a reset"
          waiting={proof.trim() === ''}
          onConfirm={act}
          onClose={() => setAsked(null)}
        >
          <LongText
            label="Proof"
            description="How you made sure that the owner asks. Only administrators read it. It is kept for good, so leave out numbers and addresses."
            longest={500}
            required
            minRows={2}
            value={proof}
            onChange={({ currentTarget: { value } }) => setProof(value)}
          />
        </ConsequenceDialog>
      )}
      {asked === 'approve' && (
        <ConsequenceDialog
          title="Approve this reset?"
          object={operator.email}
          changes={[
            'In 72 hours, anybody who reads the email of this address can create a new passkey for the account. All previous ones then stop working.',
            'We email the owner now, and again when the 72 hours are over.',
          ]}
          unchanged={['Until then, the owner can cancel it when signed in.', 'Its integrations keep running.']}
          verb="Approve reset"
          tone="danger"
          onConfirm={act}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'cancel' && (
        <ConsequenceDialog
          title="Cancel this reset?"
          object={operator.email}
          changes={['The reset can no longer be used, and a browser that is using it is signed out.', 'We email the owner.']}
          unchanged={['Passkeys and recovery codes that the account still has work as before.']}
          verb="Cancel reset"
          onConfirm={act}
          onClose={() => setAsked(null)}
        />
      )}
    </Panel>
  );
}
