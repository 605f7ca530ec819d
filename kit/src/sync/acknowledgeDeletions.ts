import type { CallOptions } from '../client/calls.ts';
import { Problem } from '../client/errors.ts';
import type { AcknowledgedRevocation } from '../contract/contract.ts';
import type { Feed } from './Feed.ts';

type Acknowledger = { acknowledge(revocationId: string, idempotencyKey: string, options: CallOptions): Promise<AcknowledgedRevocation> };

/** What the service has recorded. */
export type StatedDeletion = { readonly revocationId: string; readonly acknowledgedAt: string };

/** The deadline has passed, or a regenerated sandbox has taken the revocation with it. */
const final = new Set<string>(['acknowledgement_window_closed', 'not_found']);

/** Acknowledges one after the other. What is interrupted is repeated by the next call, with the same key. */
export async function acknowledgeDeletions(client: Acknowledger, feed: Feed, options: CallOptions): Promise<StatedDeletion[]> {
  const stated: StatedDeletion[] = [];
  for (const { revocationId } of await feed.deletedDeletions()) {
    try {
      // The key follows from the revocation, so it outlives the process and even the database.
      const { acknowledged_at: acknowledgedAt } = await client.acknowledge(revocationId, `deleted-${revocationId}`, options);
      await feed.settleDeletion(revocationId, { acknowledgedAt });
      stated.push({ revocationId, acknowledgedAt });
    } catch (error) {
      if (!(error instanceof Problem) || !final.has(error.code)) throw error;
      await feed.settleDeletion(revocationId, { refusedBy: error.code });
    }
  }
  return stated;
}
