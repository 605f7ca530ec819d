import { createHash } from 'node:crypto';

/** Raise it whenever a stored text (`tracking/project.ts`) would come out differently: every validator contains it, so old copies are fetched anew. */
const projectionVersion = 1;

/**
 * The strong validator of one page of a feed, without building the page: the same client, query, epoch, head and position always give
 * the same bytes, because cursors are deterministic and every visible change raises the head or the epoch.
 */
export function pageValidator(page: { clientNo: number; limit: number; epoch: number; head: number; position: number }): string {
  return validatorOf(['page', page.clientNo, page.limit, page.epoch, page.head, page.position]);
}

/** The strong validator of one snapshot; `revision` is the reported one (it includes the epoch). */
export function snapshotValidator(id: string, revision: string | number): string {
  return validatorOf(['snapshot', id, revision]);
}

function validatorOf(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256')
    .update([projectionVersion, ...parts].join(' '))
    .digest();
  return `"${digest.subarray(0, 16).toString('base64url')}"`;
}
