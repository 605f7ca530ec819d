import { Text } from '@mantine/core';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import classes from './NextSyncPanel.module.css';
import { sandboxNextSyncQuery } from './nextSyncQuery.ts';
import { nextSyncWords, syncRecordWords } from './nextSyncWords.ts';
import { sandboxContext } from './sandboxQueries.ts';

/**
 * What the next sync brings, starting where the client's last one ended. The service keeps this position, so it does not depend on the
 * page.
 */
export function NextSyncPanel({ clientId }: { clientId: string }) {
  const [result, read] = usePolledQuery({
    query: sandboxNextSyncQuery,
    variables: { clientId },
    // Syncs and redemptions come from the operator's back end, so the page has to poll for them.
    whileTrue: () => true,
    every: 5000,
    context: sandboxContext,
  });
  return (
    <Panel title="Your next sync brings">
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ sandboxNextSync: next }) => (
          <>
            <Text size="sm" role="status">
              {nextSyncWords(next)}
            </Text>
            {next.lastSyncAt && (
              <Text size="xs" c="dimmed" mb="sm">
                Last sync <Time value={next.lastSyncAt} />
              </Text>
            )}
            {!next.fromBeginning && (
              <ol className={classes.entries} aria-label="Records of the next sync">
                {next.records.map((record) => (
                  <li key={record.resourceId ?? record.connectionId} className={classes.entry}>
                    <Text size="sm">{syncRecordWords(record)}</Text>
                    <Text size="xs" c="dimmed">
                      <Time value={record.at} />
                    </Text>
                  </li>
                ))}
              </ol>
            )}
            {!next.fromBeginning && next.total > next.records.length && (
              <Text size="sm" c="dimmed" mt="sm">
                and {next.total - next.records.length} earlier ones
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
