import { UsageRecorder } from '../../server/domain/usage/UsageRecorder.ts';
import { writeUsage } from '../../server/domain/usage/writeUsage.ts';
import type { Logger } from '../../server/platform/logger.ts';
import { droppedUsage } from '../../server/platform/metrics.ts';
import { openUsageClient } from './databaseClients.ts';

/** Opens this process's recorder, with a connection of its own. `close` writes what is still waiting. */
export function openUsageRecorder(databaseUrl: string, logger: Logger): { recorder: UsageRecorder; close(): Promise<void> } {
  const client = openUsageClient(databaseUrl);
  const recorder = new UsageRecorder({
    write: (requests) => writeUsage(client.query, requests),
    onDropped: (count, reason, error) => {
      droppedUsage.inc({ reason }, count);
      // What PostgreSQL refuses is lost although it is there. When the queue is full, a line for each dropped request would fill the log as well.
      if (reason === 'refused') logger.error({ count, reason, err: error }, 'usage.dropped');
      else if (reason !== 'full') logger.warn({ count, reason, err: error }, 'usage.dropped');
    },
  });
  return {
    recorder,
    close: async () => {
      await recorder.close();
      await client.close();
    },
  };
}
