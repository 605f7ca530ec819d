import type { Query } from '../../domain/shared/query.ts';
import { unavailable, withinTime } from '../unavailable.ts';
import type { BoundedClient } from './BoundedClient.ts';
import { ConnectionBudget } from './ConnectionBudget.ts';
import { type ConnectionName, settingsOf } from './connectionUses.ts';
import { endsConnection, preparedInVain } from './endsConnection.ts';
import { answerLimit, openClient } from './openPool.ts';
import { observePool } from './poolMetrics.ts';
import { statementNames } from './statementNames.ts';

/** A place for one connection. */
type Lane = {
  /** Takes statements. */
  client?: BoundedClient;
  opening?: Promise<BoundedClient>;
  /** How many statements are waiting or under way. */
  busy: number;
  /** Why the last attempt to connect failed, and until when there is no other. */
  refused?: { readonly error: unknown; readonly until: number };
};

const connectedWithin = 3_000;
const idleMs = 300_000;
/** Callers would otherwise make a server that takes no connections refuse one for each of their statements. */
const triedAgainAfter = 200;
/** For a use whose statements nothing limits. */
const usuallyAnsweredWithin = 16_000;

type PipelineOptions = {
  readonly max: number;
  /** Milliseconds from the call, with the time that a connection takes. */
  readonly answeredWithin?: number;
};

/** Statements that share connections. */
export type Pipelines = { readonly query: Query; close(): Promise<void> };

/**
 * Opens at most `max` connections on which the statements of all callers are pipelined: each is sent at once, on the connection with the
 * fewest under way; while all are busy, another one is opened for it, so that it does not wait behind a statement that waits for a lock.
 * They are opened on demand, and again after a failure; one whose server says that it cannot do its work now, as one that has become a
 * standby, or does not answer, takes no more statements and ends, so that the next statement may find the new primary. Where what was
 * prepared has become stale, all of them end, and the statement is sent once more on a new one. A statement that cannot be sent, or is not
 * answered in time (a second more than its use's `statement_timeout`), rejects with `temporarily_unavailable`.
 */
export function openPipelines(
  databaseUrl: string,
  name: ConnectionName,
  { max, answeredWithin = answerLimit(settingsOf(name)).query_timeout ?? usuallyAnsweredWithin }: PipelineOptions,
): Pipelines {
  const budget = new ConnectionBudget(name, max);
  const lanes: Lane[] = Array.from({ length: max }, () => ({ busy: 0 }));
  const nameOf = statementNames('statement');
  let closed: Promise<void> | undefined;
  observePool(name, () => {
    if (closed) return undefined;
    const open = lanes.filter(({ client }) => client);
    const busy = lanes.reduce((sum, lane) => sum + lane.busy, 0);
    return { idle: open.filter((lane) => lane.busy === 0).length, waiting: Math.max(0, busy - open.length), size: max };
  });

  function connect(lane: Lane): Promise<BoundedClient> {
    const { opening, refused } = lane;
    if (opening) return opening;
    if (refused && performance.now() < refused.until) return Promise.reject(refused.error);
    lane.opening = openClient(databaseUrl, name, {
      pipeline: true,
      budget,
      connectionTimeoutMillis: connectedWithin,
      query_timeout: answeredWithin,
    }).then(
      (client) => {
        delete lane.opening;
        delete lane.refused;
        take(lane, client);
        return client;
      },
      (error: unknown) => {
        delete lane.opening;
        lane.refused = { error, until: performance.now() + triedAgainAfter };
        throw error;
      },
    );
    return lane.opening;
  }

  function take(lane: Lane, client: BoundedClient): void {
    if (closed) return void client.end();
    lane.client = client;
    const resting = setTimeout(() => {
      if (lane.busy === 0) leave(lane, client);
      else resting.refresh();
    }, idleMs).unref();
    const lost = () => {
      clearTimeout(resting);
      if (lane.client === client) delete lane.client;
    };
    // A server that says that it ends the connection may be gone before it has closed it.
    client.once('error', () => client.destroy());
    client.once('error', lost).once('end', lost);
  }

  /** What is under way on it has a second to end. */
  function leave(lane: Lane, client: BoundedClient): void {
    if (lane.client !== client) return;
    delete lane.client;
    void client.end();
  }

  /** The place with the fewest statements, and rather one that is open. One that was refused a moment ago is none while there are others. */
  function choose(): Lane | undefined {
    const now = performance.now();
    let best: Lane | undefined;
    for (const lane of lanes) {
      if (lane.refused && !lane.client && !lane.opening && now < lane.refused.until) continue;
      if (!best || lane.busy < best.busy || (lane.busy === best.busy && lane.client && !best.client)) best = lane;
    }
    return best ?? lanes[0];
  }

  /** The connection for a statement: that of the chosen place, or, if none can be made there, one that others use. */
  async function connected(chosen: Lane): Promise<{ lane: Lane; client: BoundedClient }> {
    chosen.busy += 1;
    try {
      return { lane: chosen, client: await withinTime(connect(chosen), answeredWithin) };
    } catch (error) {
      for (const lane of lanes) if (lane.client) return { lane, client: lane.client };
      throw error;
    } finally {
      chosen.busy -= 1;
    }
  }

  async function run(text: string, parameters: readonly unknown[], again = true): Promise<unknown[]> {
    const asked = performance.now();
    const chosen = closed ? undefined : choose();
    if (!chosen) throw Object.assign(new Error('The connections are closed.'), { code: 'CONNECTION_ENDED' });
    const waits = !chosen.client;
    const { lane, client } = chosen.client ? { lane: chosen, client: chosen.client } : await connected(chosen);
    const statement = { name: nameOf(text), text, values: [...parameters] };
    lane.busy += 1;
    const sent = performance.now();
    try {
      return (await client.query(waits ? { ...statement, ...limit(answeredWithin - (performance.now() - asked)) } : statement)).rows;
    } catch (error) {
      if (endsConnection(error, client.connectedAt)) leave(lane, client);
      if (!again || !preparedInVain(error)) throw error;
      // What has made this connection stale has as a rule done so to all that there were, and there is only one more try.
      for (const each of lanes) if (each.client && each.client.connectedAt < sent) leave(each, each.client);
      return await run(text, parameters, false);
    } finally {
      lane.busy -= 1;
    }
  }

  return {
    query: async <Row>(text: string, parameters: readonly (string | number | null)[]) => {
      try {
        return (await run(text, parameters)) as Row[];
      } catch (error) {
        throw unavailable(error);
      }
    },
    close: () => (closed ??= closeAll()),
  };

  async function closeAll(): Promise<void> {
    await Promise.all(lanes.flatMap(({ client }) => client?.end() ?? []));
    // One that is being made ends as soon as it is there.
    await Promise.allSettled(lanes.flatMap(({ opening }) => opening ?? []));
  }
}

/** A limit for one statement alone, which the types of `pg` do not know. */
function limit(milliseconds: number): object {
  return { query_timeout: Math.max(1, milliseconds) };
}
