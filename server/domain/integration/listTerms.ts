import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { TermsVersion } from './TermsVersion.ts';

/** A page of all published versions of the terms, newest first. `after` is the cursor of a former item. Errors: invalid_request. */
export async function listTerms(
  em: EntityManager,
  { first, after }: { first: number; after: string | null },
): Promise<{ items: readonly TermsVersion[]; hasNextPage: boolean }> {
  if (first < 1 || first > limits.pageSize) refuseInvalid([{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  const below = after === null ? null : versionOfCursor(after);
  if (after !== null && below === null) refuseInvalid([{ path: 'after', message: 'This cursor does not belong to this list.' }]);
  const found = await em.find(TermsVersion, below === null ? {} : { version: { $lt: below } }, {
    orderBy: { version: 'desc' },
    limit: first + 1,
  });
  return { items: found.slice(0, first), hasNextPage: found.length > first };
}

/** Whether a version of the terms was published. By its key. */
export async function termsExist(em: EntityManager, version: number): Promise<boolean> {
  return (await em.count(TermsVersion, { version })) > 0;
}

/** The opaque cursor of an item. */
export function termsCursor({ version }: TermsVersion): string {
  return Buffer.from(`terms ${version}`).toString('base64url');
}

function versionOfCursor(cursor: string): number | null {
  const version = /^terms (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  return version === undefined ? null : Number(version);
}
