import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger.ts';
import { logLibraries } from './logLibraries.ts';

/**
 * Registers something to stop. Entrances, which let requests in, are stopped first and together, then everything else in the reverse order
 * of registration.
 */
export type OnStop = (name: string, stop: () => Promise<unknown> | void, place?: 'entrance') => void;

type Part = { readonly name: string; readonly stop: () => Promise<unknown> | void; readonly place: 'entrance' | undefined };

const patience = 35_000;
const sameSignal = 1_000;

/**
 * Runs a process until SIGINT, SIGTERM or SIGHUP (the terminal was closed), then stops everything and exits with 0. `start` is given an
 * `AbortSignal` for that moment: from then on the process says that it is not ready, and each answer ends its connection. If it has
 * entrances, they stay open for another `drainMs`, so that balancers notice and callers move on. A signal during the start takes effect when
 * the start is over, or has thrown the signal's reason, and then drains nothing, since nobody was sent here. A failed start stops what is already
 * running and exits with 1. A further signal after a second, or 35 seconds of stopping without an end, exits with 1 at once.
 */
export async function runProcess(
  { logger, drainMs = 0 }: { readonly logger: Logger; readonly drainMs?: number },
  start: (onStop: OnStop, stopping: AbortSignal) => Promise<void>,
): Promise<void> {
  logLibraries(logger);
  const parts: Part[] = [];
  const stopping = new AbortController();
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    let first: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // Ctrl-C reaches us twice: from the terminal, and from npm, which passes it on.
        if (first !== undefined && performance.now() - first > sameSignal) process.exit(1);
        first ??= performance.now();
        stopping.abort();
        resolve(signal);
      });
    }
  });
  // A library that leaves a promise unhandled while the database is out of reach must not take everything down with it.
  process.on('unhandledRejection', (reason) => logger.error({ err: reason }, 'process.unhandledRejection'));
  let exitCode = 0;
  try {
    await start((name, stop, place) => parts.push({ name, stop, place }), stopping.signal).catch((error: unknown) => {
      // A stop is no failed start.
      if (error !== stopping.signal.reason) throw error;
    });
    const drains = !stopping.signal.aborted && drainMs > 0 && parts.some(({ place }) => place === 'entrance');
    const signal = await signalled;
    logger.info({ signal, ...(drains && { drainMs }) }, 'process.stopping');
    if (drains) await delay(drainMs);
  } catch (error) {
    exitCode = 1;
    stopping.abort();
    logger.fatal({ err: error }, 'process.startFailed');
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
  setTimeout(() => process.exit(1), patience).unref();
  const end = async ({ name, stop }: Part): Promise<void> => {
    try {
      await stop();
    } catch (error) {
      exitCode = 1;
      logger.error({ err: error, part: name }, 'process.stopFailed');
    }
  };
  await Promise.all(parts.filter(({ place }) => place === 'entrance').map(end));
  for (const part of parts.filter(({ place }) => place === undefined).toReversed()) await end(part);
  logger.info({ exitCode }, 'process.stopped');
  // An exit would overtake a line that is on its way, or lose it. What cannot be flushed to a disk, as a pipe, has been written all the same.
  await new Promise<void>((written) => logger.flush(() => written()));
  process.exit(exitCode);
}
