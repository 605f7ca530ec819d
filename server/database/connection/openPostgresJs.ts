import postgres from 'postgres';
import type { Query } from '../../domain/shared/query.ts';
import { observePool } from '../../platform/poolMetrics.ts';
import { traceStatement } from '../../platform/tracing/tracing.ts';
import { unavailable, withinTime } from '../unavailable.ts';
import { connectionOf } from './connectionOf.ts';
import type { ConnectionName } from './connectionUses.ts';
import { endsConnection } from './endsConnection.ts';

/** PostgreSQL’s numbers of its types. */
const [date, timestamp, timestamptz] = [1082, 1114, 1184] as const;

const idleSeconds = 300;
/** While its server cannot write, a pool would otherwise connect anew for each statement. */
const renewedAtMostEvery = 1_000;
/** Times are sent as the text that was given, to the microsecond. The library would make each a `Date`, whose milliseconds lose the rest. */
const timesAsGiven = {
  to: timestamptz,
  from: [date, timestamp, timestamptz],
  serialize: (time: string) => time,
  parse: (text: string) => new Date(text),
};
/** How long statements under way on connections that are dropped have for their end. */
const endWithinSeconds = 1;

/**
 * Opens a pool of postgres.js, on which statements are pipelined. Connections are opened on demand, and again after a failure. When the
 * server says that it cannot do its work now, as one that has become a standby, or does not answer, all of them are replaced, so that the
 * next statement may find the new primary. A statement that cannot be sent, or is not answered within `withinMs`, rejects with
 * `temporarily_unavailable`.
 */
export function openPostgresJs(
  databaseUrl: string,
  name: ConnectionName,
  { max, withinMs }: { readonly max: number; readonly withinMs: number },
): { readonly query: Query; close(): Promise<void> } {
  const options = connectionOf(databaseUrl, { name }).forPostgresJs();
  const open = () =>
    postgres({
      // The library can do nothing right after connecting, so a session has exactly the settings of its role.
      ...options,
      max,
      connect_timeout: 2,
      // It tries again soon. Our own time limit bounds how long anybody waits for a connection.
      backoff: () => 0.2,
      idle_timeout: idleSeconds,
      fetch_types: false,
      // Each connection names its statements with random letters of its own.
      prepare: true,
      types: { date: timesAsGiven },
      onnotice: () => {},
    });
  let client = open();
  let renewedAt = Number.NEGATIVE_INFINITY;
  let ended: Promise<void> | undefined;
  // The library does not tell how many connections are open, and gives one of them several statements at a time.
  let underWay = 0;
  observePool(name, () => (ended ? undefined : { inUse: Math.min(underWay, max), waiting: Math.max(0, underWay - max), size: max }));
  const replace = (useless: typeof client): void => {
    const now = performance.now();
    if (useless !== client || ended || now - renewedAt < renewedAtMostEvery) return;
    renewedAt = now;
    client = open();
    void useless.end({ timeout: endWithinSeconds });
  };
  return {
    query: async <Row>(text: string, parameters: readonly (string | number | null)[]) => {
      const used = client;
      underWay += 1;
      try {
        const rows = await traceStatement(text, () => withinTime(used.unsafe(text, [...parameters], { prepare: true }), withinMs));
        return rows as unknown as Row[];
      } catch (error) {
        if (endsConnection(error)) replace(used);
        throw unavailable(error);
      } finally {
        underWay -= 1;
      }
    },
    close: () => (ended ??= client.end({ timeout: 2 })),
  };
}
