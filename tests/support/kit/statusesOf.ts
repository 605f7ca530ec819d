import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** The statuses of all answers that this process gets meanwhile. */
export async function statusesOf(work: () => Promise<unknown>): Promise<(number | undefined)[]> {
  const statuses: (number | undefined)[] = [];
  const listen = (message: unknown) => statuses.push((message as { response: IncomingMessage }).response.statusCode);
  subscribe('http.client.response.finish', listen);
  await work().finally(() => unsubscribe('http.client.response.finish', listen));
  return statuses;
}
