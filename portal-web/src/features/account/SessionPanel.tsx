import { Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import classes from './account.module.css';
import { EndOtherSessions } from './EndOtherSessions.tsx';
import { SessionItem } from './SessionItem.tsx';
import { sessionPage, sessionsQuery } from './sessionQueries.ts';

/** The browsers that are signed in to the account; each can be signed out from here. */
export function SessionPanel() {
  const place = usePlace('sessions');
  const [result, read] = useQuery({ query: sessionsQuery, variables: sessionPage(place.after) });
  const readAgain = () => read({ requestPolicy: 'network-only' });
  return (
    <Panel
      title="Sessions"
      lead="Browsers that are currently signed in to your account. A session ends after 20 minutes of inactivity, and after 8 hours in any case."
    >
      <LoadedList place={place} result={result} onRetry={readAgain}>
        {({ sessions }) => (
          <Stack gap="md">
            <PagedList label="Sessions" place={place} page={sessions} none={null}>
              {(items) => (
                <ul className={classes.list} aria-label="Sessions">
                  {items.map((session) => (
                    <SessionItem key={session.id} session={session} onEnded={readAgain} />
                  ))}
                </ul>
              )}
            </PagedList>
            {(sessions.edges.length > 1 || place.after !== null) && <EndOtherSessions onEnded={readAgain} />}
          </Stack>
        )}
      </LoadedList>
    </Panel>
  );
}
