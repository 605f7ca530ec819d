import type { EntityManager } from '@mikro-orm/postgresql';
import type { Integration } from '../integration/Integration.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { ReviewSubmission } from './ReviewSubmission.ts';

/** A page of an integration's rounds of review, the latest first. `after` is the cursor of a former item. Errors: invalid_request. */
export async function ownSubmissions(
  em: EntityManager,
  { integration, first, after }: { integration: Integration; first: number; after: string | null },
): Promise<{ items: readonly ReviewSubmission[]; hasNextPage: boolean }> {
  if (first < 1 || first > limits.pageSize) refuseInvalid([{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  const before = after === null ? null : roundOfCursor(after);
  if (after !== null && before === null) refuseInvalid([{ path: 'after', message: 'This cursor does not belong to this list.' }]);
  const earlier = before === null ? {} : { round: { $lt: before } };
  const own = { integrationId: integration.id, ...earlier };
  const found = await em.find(ReviewSubmission, own, { orderBy: { round: 'desc' }, limit: first + 1 });
  return { items: found.slice(0, first), hasNextPage: found.length > first };
}

/** The opaque cursor of an item. */
export function roundCursor({ round }: Pick<ReviewSubmission, 'round'>): string {
  return Buffer.from(String(round)).toString('base64url');
}

function roundOfCursor(cursor: string): number | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
