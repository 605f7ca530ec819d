import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
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
        <Button variant="default" size="xs" onClick={() => setEnding(true)} aria-label={`End the session of ${browser} from ${ip}`}>
          End session
        </Button>
      )}
      {ending && <EndSessionDialog session={session} onClose={() => setEnding(false)} onEnded={onEnded} />}
    </li>
  );
}

function EndSessionDialog({ session, onClose, onEnded }: { session: AccountSession; onClose: () => void; onEnded: () => void }) {
  const [{ fetching, error }, endSession] = useMutation(endSessionMutation);

  async function end() {
    const { data } = await endSession({ input: { sessionId: session.id } });
    if (!data) return;
    onClose();
    onEnded();
  }

  return (
    <Modal opened onClose={onClose} title="End this session?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {error && <ErrorMessage message={describeError(error).message} />}
        <Text>
          <strong>{describeBrowser(session.userAgent)}</strong> from {session.ip} is signed out at once. Signing in there again requires one
          of your passkeys.
        </Text>
        <Text>If you do not recognise this browser, also remove any passkey you do not recognise.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red.9" loading={fetching} onClick={() => void end()}>
            End session
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
