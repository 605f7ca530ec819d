import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { OperatorClient, pemFiles, RateLimited, realTime } from '../../../kit/src/index.ts';
import { Memory, memoryFeed } from '../../../kit/src/memory.ts';

/**
 * One of several processes that share a certificate: syncs and reads what it has, again and again, as fast as the kit lets it; with
 * `pauseSeconds`, it pauses for about as long after each round. Prints each answer that it got and each wait of the kit, a line each.
 */
export type PaceSettings = {
  readonly baseUrl: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly seconds: number;
  readonly pauseSeconds: number;
};
/** When the minute resets and Retry-After are in seconds. */
export type PaceEvent =
  | { readonly kind: 'answer'; readonly at: number; readonly status: number; readonly resets: number; readonly retryAfter: number }
  | { readonly kind: 'wait'; readonly at: number; readonly ms: number };

const settings = JSON.parse(process.argv[2] ?? '') as PaceSettings;
const print = (event: PaceEvent) => process.stdout.write(`${JSON.stringify(event)}\n`);
const minute = /"minute";r=\d+;t=(\d+)/;

subscribe('http.client.response.finish', (message) => {
  const { statusCode: status = 0, headers } = (message as { response: IncomingMessage }).response;
  const [, reset] = minute.exec(String(headers.ratelimit)) ?? [];
  print({ kind: 'answer', at: Date.now(), status, resets: Number(reset), retryAfter: Number(headers['retry-after'] ?? 0) });
});

const client = new OperatorClient({
  baseUrl: settings.baseUrl,
  ca: settings.ca,
  credentials: pemFiles(settings),
  expect: { environment: 'sandbox' },
  time: {
    now: () => realTime.now(),
    wait(ms, signal) {
      print({ kind: 'wait', at: Date.now(), ms });
      return realTime.wait(ms, signal);
    },
  },
});
const memory = new Memory();
const feed = memoryFeed({}, memory);
const until = Date.now() + settings.seconds * 1000;

while (Date.now() < until) {
  try {
    await client.sync(feed);
    for (const id of [...memory.resources.keys()].slice(0, 3)) await client.order(id);
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    await realTime.wait(Math.max(0, error.retryAt.getTime() - Date.now()));
  }
  await realTime.wait(settings.pauseSeconds * 1000 * (0.5 + Math.random()));
}
client.close();
