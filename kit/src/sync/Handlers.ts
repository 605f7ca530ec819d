import type { Snapshot } from '../contract/contract.ts';
import type { ResourceRow } from './FeedStore.ts';

/** A resource whose access has ended. Without `revocationId`, a recovery sync has not brought it any more. */
export type Ended = ResourceRow & { readonly revocationId?: string };

/** The caller’s own writes, in the transaction of the page that causes them. What they throw rolls the page back, and it comes again. */
export type Handlers<Tx> = {
  /** A new resource, or a newer revision of one. */
  readonly upserted?: (tx: Tx, snapshot: Snapshot) => unknown;
  /** Delete what is derived from it. */
  readonly ended?: (tx: Tx, resource: Ended) => unknown;
};
