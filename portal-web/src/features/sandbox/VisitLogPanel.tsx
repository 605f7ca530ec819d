import { Text } from '@mantine/core';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import type { LogEntry } from './visitLog.ts';
import classes from './VisitLogPanel.module.css';

/** What happened in this visit, with what the next sync will show of it. */
export function VisitLogPanel({ entries }: { entries: readonly LogEntry[] }) {
  return (
    <Panel title="What your next sync shows">
      <div role="log" aria-label="What happened in this visit">
        {entries.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing yet. Whatever you let happen on this page is listed here, with the records that <code>GET /v1/sync</code> will bring.
            Pull and compare.
          </Text>
        )}
        <ol className={classes.entries}>
          {entries.map(({ key, at, what, sync }) => (
            <li key={key} className={classes.entry}>
              <Text size="sm" fw={550}>
                {what}
              </Text>
              <ul className={classes.records}>
                {sync.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              <Text size="xs" c="dimmed">
                <RelativeTime value={at} />
              </Text>
            </li>
          ))}
        </ol>
      </div>
    </Panel>
  );
}
