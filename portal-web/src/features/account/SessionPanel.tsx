import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Loaded } from '../../ui/Loaded.tsx';
import { Panel } from '../../ui/Panel.tsx';
import classes from './account.module.css';
import { EndOtherSessions } from './EndOtherSessions.tsx';
import { SessionItem } from './SessionItem.tsx';
import { firstSessions, sessionsQuery, type SessionPage } from './sessionQueries.ts';

/** The browsers that are signed in to the account; each can be signed out from here. */
export function SessionPanel() {
  const [result, read] = useQuery({ query: sessionsQuery, variables: firstSessions });
  const readAgain = () => read({ requestPolicy: 'network-only' });
  return (
    <Panel
      title="Sessions"
      lead="Browsers that are signed in to your account now. A session ends after 20 minutes without use, 8 hours at most."
    >
      <Loaded result={result} onRetry={readAgain}>
        {({ sessions }) => (
          <Stack gap="md">
            <ul className={classes.list} aria-label="Sessions">
              <SessionItems key={sessions.pageInfo.endCursor} page={sessions} onEnded={readAgain} />
            </ul>
            {sessions.edges.length > 1 && <EndOtherSessions onEnded={readAgain} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

/** The items of a page, and behind them the next page once it is asked for. */
function SessionItems({ page, onEnded }: { page: SessionPage; onEnded: () => void }) {
  const [after, setAfter] = useState<string | null>(null);
  const { hasNextPage, endCursor } = page.pageInfo;
  return (
    <>
      {page.edges.map(({ node }) => (
        <SessionItem key={node.id} session={node} onEnded={onEnded} />
      ))}
      {after !== null && <MoreSessions after={after} onEnded={onEnded} />}
      {after === null && hasNextPage && (
        <li>
          <Button variant="default" onClick={() => setAfter(endCursor ?? null)}>
            Load more
          </Button>
        </li>
      )}
    </>
  );
}

function MoreSessions({ after, onEnded }: { after: string; onEnded: () => void }) {
  const [{ data, fetching }, read] = useQuery({ query: sessionsQuery, variables: { ...firstSessions, after } });
  if (!data) {
    return (
      <li>
        <Text c="dimmed">{fetching ? 'Loading more …' : 'The next page could not be read. Reload this one and try again.'}</Text>
      </li>
    );
  }
  const readAgain = () => {
    onEnded();
    read({ requestPolicy: 'network-only' });
  };
  return <SessionItems page={data.sessions} onEnded={readAgain} />;
}
