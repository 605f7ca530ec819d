import type { WorkerEvents } from 'graphile-worker';
import type pg from 'pg';

export type ListeningLimits = {
  /** How often to ask whether the server is still there. */
  readonly askEvery: number;
  readonly answeredWithin: number;
};

const usual: ListeningLimits = { askEvery: 10_000, answeredWithin: 5_000 };

/**
 * Has a queue listen again when the server behind its listening connection does not answer. Nothing is sent on that connection otherwise, so
 * the queue could wait on a server that has vanished, and hear of no job.
 */
export function keepListening(events: WorkerEvents, { askEvery, answeredWithin }: ListeningLimits = usual): void {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearInterval(timer);
  events.on('pool:listen:success', ({ client }) => {
    stop();
    const question = { text: 'select 1', query_timeout: answeredWithin } as pg.QueryConfig;
    let asking = false;
    timer = setInterval(() => {
      if (asking) return;
      asking = true;
      client
        .query(question)
        .then(() => (asking = false))
        // The queue tries again when it hears of an error of the connection, and of nothing else.
        .catch((error: unknown) => client.emit('error', error));
    }, askEvery).unref();
  });
  events.on('pool:listen:release', stop).on('pool:release', stop);
}
