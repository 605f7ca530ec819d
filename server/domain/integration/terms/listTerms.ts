import type { EntityManager } from '@mikro-orm/postgresql';
import { numberCursors } from '../../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../../shared/lists/page.ts';
import { TermsVersion } from './TermsVersion.ts';

const cursors = numberCursors<TermsVersion>(({ version }) => version);

/** A page of all published versions of the terms, newest first. Errors: invalid_request. */
export function listTerms(em: EntityManager, request: PageRequest): Promise<Page<TermsVersion>> {
  return page(request, {
    cursors,
    read: (count, after) =>
      em.find(TermsVersion, after === null ? {} : { version: { $lt: after } }, { orderBy: { version: 'desc' }, limit: count }),
  });
}

/** Whether this version of the terms has been published (primary key). */
export async function termsExist(em: EntityManager, version: number): Promise<boolean> {
  return (await em.count(TermsVersion, { version })) > 0;
}
