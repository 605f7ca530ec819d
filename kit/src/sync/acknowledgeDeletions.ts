import { Problem } from '../client/errors.ts';
import type { AcknowledgedRevocation } from '../contract/contract.ts';
import type { Feed } from './Feed.ts';

type Options = { readonly signal?: AbortSignal | undefined };
type Acknowledger = { acknowledge(revocationId: string, idempotencyKey: string, options: Options): Promise<AcknowledgedRevocation> };

/** What the service has recorded. */
export type StatedDeletion = { readonly revocationId: string; readonly acknowledgedAt: string; readonly receiptUrl?: string };

/** The deadline has passed, or a regenerated sandbox has taken the revocation with it. */
const final = new Set<string>(['acknowledgement_window_closed', 'not_found']);

/** Acknowledges one after the other. What is interrupted is repeated by the next call, with the same key. */
export async function acknowledgeDeletions(client: Acknowledger, feed: Feed, { signal }: Options): Promise<StatedDeletion[]> {
  const stated: StatedDeletion[] = [];
  for (const { revocationId } of await feed.deletedDeletions()) {
    try {
      // The key follows from the revocation, so it outlives the process and even the database.
      const answer = await client.acknowledge(revocationId, `deleted-${revocationId}`, { signal });
      const { acknowledged_at: acknowledgedAt, receipt_url: receiptUrl } = answer as typeof answer & { readonly receipt_url?: string };
      await feed.settleDeletion(revocationId, { acknowledgedAt });
      stated.push({ revocationId, acknowledgedAt, ...(receiptUrl !== undefined && { receiptUrl }) });
    } catch (error) {
      if (!(error instanceof Problem) || !final.has(error.code)) throw error;
      await feed.settleDeletion(revocationId, { refusedBy: error.code });
    }
  }
  return stated;
}
