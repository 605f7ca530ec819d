import type { ServerResponse } from 'node:http';
import { serverLimits } from './http/serverLimits.ts';
import type { Logger } from './logger.ts';
import { eventLoopHeld, oneOperation } from './metrics.ts';
import type { OnStop } from './runProcess.ts';
import type { RequestFacts } from './tracing/tracing.ts';

/** The event loop was held for so many milliseconds, while these requests were being answered. */
type Held = { readonly milliseconds: number; readonly requests: readonly RequestFacts[] };

/**
 * Finds out what was being answered while the event loop did not turn. Time is the processor time of the loop's own thread, because a
 * machine that does something else holds up a process as well, and nobody here can help it.
 */
export class LoopWatch {
  readonly #used: () => number;
  readonly #answering = new Set<() => RequestFacts>();
  /** Those whose answers have ended since the last turn. */
  readonly #answered = new Set<() => RequestFacts>();
  #before: number;

  /** `used`: the processor time of this thread until now, in milliseconds. */
  constructor(used: () => number) {
    this.#used = used;
    this.#before = used();
  }

  /** A request is being answered from now on, until what this returns is called. `facts` is asked only if the loop is held. */
  begin(facts: () => RequestFacts): () => void {
    this.#answering.add(facts);
    return () => {
      this.#answering.delete(facts);
      this.#answered.add(facts);
    };
  }

  /** The loop has turned. Returns how long it was held since the last turn, if that was too long. */
  turn(): Held | null {
    const now = this.#used();
    const milliseconds = now - this.#before;
    this.#before = now;
    const held = milliseconds > serverLimits.loopHeld;
    const requests = held ? [...this.#answered, ...this.#answering].map((facts) => facts()) : [];
    this.#answered.clear();
    return held ? { milliseconds, requests } : null;
  }
}

/** Undefined in a process that watches nothing. */
let watch: LoopWatch | undefined;

/** Counts a request among those that may hold the event loop, until its answer has ended. */
export function watchAnswer(response: ServerResponse, facts: () => RequestFacts): void {
  if (watch) response.once('close', watch.begin(facts));
}

/** From now on, whatever holds this process's event loop for more than 100 ms is counted and logged, with what was being answered. */
export function startLoopWatch(logger: Logger, onStop: OnStop): void {
  const started = new LoopWatch(() => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  });
  watch = started;
  const timer = setInterval(() => {
    const held = started.turn();
    if (held) report(held, logger);
  }, serverLimits.loopWatchedEvery);
  timer.unref();
  onStop('watch of the event loop', () => {
    clearInterval(timer);
    watch = undefined;
  });
}

/** Names of routes and of the schema's operations, and the service's own request IDs: nothing that a caller made up. */
export function report({ milliseconds, requests }: Held, logger: Pick<Logger, 'warn'>): void {
  const routes = distinct(requests.map(({ route }) => route));
  const operations = distinct(requests.flatMap((request) => (request.operations === undefined ? [] : [request.operations])));
  eventLoopHeld.observe({ route: oneOf(routes), operation: oneOf(operations.map(oneOperation)) }, milliseconds / 1_000);
  const requestIds = requests.map(({ requestId }) => requestId).slice(0, mostNamed);
  logger.warn({ heldMs: Math.round(milliseconds), routes, operations, requestIds }, 'eventLoop.held');
}

const mostNamed = 10;

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, mostNamed);
}

/** The only name, or a label that says that there are several or none. */
function oneOf(names: readonly string[]): string {
  return names.length > 1 ? 'several' : (names[0] ?? '');
}
