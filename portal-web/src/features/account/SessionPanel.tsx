import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { LoadedPages } from '../../ui/lists/LoadedPages.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import classes from './account.module.css';
import { EndOtherSessions } from './EndOtherSessions.tsx';
import { SessionItem } from './SessionItem.tsx';
import { firstSessions, sessionsQuery } from './sessionQueries.ts';

/** The browsers that are signed in to the account; each can be signed out from here. */
export function SessionPanel() {
  const [result, read] = useQuery({ query: sessionsQuery, variables: firstSessions });
  const readAgain = () => read({ requestPolicy: 'network-only' });
  return (
    <Panel
      title="Sessions"
      lead="Browsers that are currently signed in to your account. A session ends after 20 minutes of inactivity, and after 8 hours in any case."
    >
      <Loaded result={result} onRetry={readAgain}>
        {({ sessions }) => (
          <Stack gap="md">
            <ul className={classes.list} aria-label="Sessions">
              <LoadedPages
                list="sessions"
                frame="li"
                first={sessions}
                query={sessionsQuery}
                variables={(after) => ({ ...firstSessions, after })}
                pageIn={(data) => data.sessions}
                onReadAgain={readAgain}
              >
                {({ edges }, onEnded) => edges.map(({ node }) => <SessionItem key={node.id} session={node} onEnded={onEnded} />)}
              </LoadedPages>
            </ul>
            {sessions.edges.length > 1 && <EndOtherSessions onEnded={readAgain} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}
