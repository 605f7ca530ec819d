import { createHash } from 'node:crypto';

/**
 * Raise this number whenever a stored text (`tracking/project.ts`) would come out differently. Every validator contains it, so old copies
 * are fetched again.
 */
const projectionVersion = 1;

type PageFacts = { clientNumber: number; limit: number; epoch: number; head: number; position: number; cursorTag: string };

/**
 * The strong validator of one page of a feed, computed without building the page. The same client, query, epoch, head, position and key of
 * cursors always give the same bytes, because cursors are deterministic and every visible change raises the head or the epoch.
 */
export function pageValidator({ clientNumber, limit, epoch, head, position, cursorTag }: PageFacts): string {
  return validatorOf(['page', clientNumber, limit, epoch, head, position, cursorTag]);
}

/** The strong validator of one snapshot. `revision` is the reported one, which includes the epoch. */
export function snapshotValidator(id: string, revision: string | number): string {
  return validatorOf(['snapshot', id, revision]);
}

function validatorOf(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256')
    .update([projectionVersion, ...parts].join(' '))
    .digest();
  return `"${digest.subarray(0, 16).toString('base64url')}"`;
}
