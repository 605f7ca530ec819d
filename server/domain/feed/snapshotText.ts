import { recordHead, type RecordFacts } from './recordHead.ts';

/**
 * The complete snapshot of a shared resource as JSON text, as `/v1` answers it and webhooks send it. `core` and `shipping` are as stored;
 * shipping is null where there is none, or where the scopes hide it.
 */
export function snapshotText(facts: RecordFacts, core: string, shipping: string | null): string {
  const rest = shipping === null ? '' : `,"shipping":${shipping}`;
  return `${recordHead(facts)}${core.slice(1, -1)}${rest}}`;
}
