import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { describeError } from '../../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import classes from './account.module.css';
import { type AccountSession, endOtherSessionsMutation, endSessionMutation, sessionPage, sessionsQuery } from './accountQueries.ts';
import { describeBrowser } from './describeBrowser.ts';

/** The browsers that are signed in to the account; each can be signed out from here. */
export function SessionPanel() {
  const pagination = usePagination('sessions');
  const [result, read] = useQuery({ query: sessionsQuery, variables: sessionPage(pagination.after) });
  const readAgain = () => read({ requestPolicy: 'network-only' });
  return (
    <Panel
      title="Sessions"
      lead="Browsers that are currently signed in to your account. A session ends after 20 minutes of inactivity, and after 8 hours in any case."
    >
      <LoadedList pagination={pagination} result={result} onRetry={readAgain}>
        {({ sessions }) => (
          <Stack gap="md">
            <PagedList label="Sessions" pagination={pagination} page={sessions} none={null}>
              {(items) => (
                <ul className={classes.list} aria-label="Sessions">
                  {items.map((session) => (
                    <SessionItem key={session.id} session={session} onEnded={readAgain} />
                  ))}
                </ul>
              )}
            </PagedList>
            {(sessions.edges.length > 1 || pagination.after !== null) && <EndOtherSessions onEnded={readAgain} />}
          </Stack>
        )}
      </LoadedList>
    </Panel>
  );
}

/** Signs out every browser except the reader's own, in case somebody else has access. */
function EndOtherSessions({ onEnded }: { onEnded: () => void }) {
  const [, endOthers] = useMutation(endOtherSessionsMutation);
  const [asking, setAsking] = useState(false);

  async function end() {
    const { error } = await endOthers({});
    if (error) return describeError(error).message;
    onEnded();
    return null;
  }

  return (
    <div>
      <Button variant="default" onClick={() => setAsking(true)}>
        End all other sessions
      </Button>
      {asking && (
        <ConsequenceDialog
          title="End all other sessions?"
          object="Every browser that is signed in to your account, except this one."
          changes={['They are signed out with their next request.', 'Signing in there again requires one of your passkeys.']}
          unchanged={[
            'This browser stays signed in.',
            'Passkeys stay. If somebody else had access, also remove any passkey that you do not recognise.',
            'Integrations keep their machine access.',
          ]}
          verb="End all others"
          tone="danger"
          onConfirm={end}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** One signed-in browser. The reader signs out of their own with the button in the header, and ends the others here. */
function SessionItem({ session, onEnded }: { session: AccountSession; onEnded: () => void }) {
  const [ending, setEnding] = useState(false);
  const { current, ip, userAgent, createdAt, lastUsedAt } = session;
  const browser = describeBrowser(userAgent);
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text size="sm" fw={650} title={userAgent}>
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
