import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../ui/forms/ConsequenceDialog.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './account.module.css';
import { describeBrowser } from './describeBrowser.ts';
import { endSessionMutation, type AccountSession } from './sessionQueries.ts';

/** One signed-in browser. The reader signs out of their own with the button in the header, and ends the others here. */
export function SessionItem({ session, onEnded }: { session: AccountSession; onEnded: () => void }) {
  const [ending, setEnding] = useState(false);
  const { current, ip, userAgent, createdAt, lastUsedAt } = session;
  const browser = describeBrowser(userAgent);
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={600} title={userAgent}>
            {browser}
          </Text>
          {current && <StatusBadge tone="good">This browser</StatusBadge>}
        </Group>
        <Text size="sm" c="dimmed">
          From {ip} · signed in <Time value={createdAt} /> · last used <Time value={lastUsedAt} />
        </Text>
      </div>
      {!current && (
        <Button variant="default" size="xs" onClick={() => setEnding(true)} aria-label={`End session of ${browser} from ${ip}`}>
          End session
        </Button>
      )}
      {ending && <EndSessionDialog session={session} onClose={() => setEnding(false)} onEnded={onEnded} />}
    </li>
  );
}

function EndSessionDialog({ session, onClose, onEnded }: { session: AccountSession; onClose: () => void; onEnded: () => void }) {
  const [, endSession] = useMutation(endSessionMutation);

  async function end() {
    const { error } = await endSession({ input: { sessionId: session.id } });
    if (error) return describeError(error).message;
    onEnded();
    return null;
  }

  return (
    <ConsequenceDialog
      title="End this session?"
      object={
        <>
          <strong>{describeBrowser(session.userAgent)}</strong> from {session.ip}, signed in <Time value={session.createdAt} />
        </>
      }
      changes={['It is signed out with its next request.', 'Signing in there again requires one of your passkeys.']}
      unchanged={[
        'Your other sessions stay open.',
        'Passkeys stay. If you do not recognise this browser, also remove any passkey that you do not recognise.',
      ]}
      verb="End session"
      tone="danger"
      onConfirm={end}
      onClose={onClose}
    />
  );
}
