import type { EntityManager } from '@mikro-orm/postgresql';
import type { Integration } from '../../integration/Integration.ts';
import { numberCursors } from '../../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../../shared/lists/page.ts';
import { ReviewSubmission } from '../ReviewSubmission.ts';

const cursors = numberCursors<ReviewSubmission>(({ number }) => number);

/** A page of an integration’s submissions, the latest first. Errors: invalid_request. */
export function ownSubmissions(
  em: EntityManager,
  { integration, ...request }: { integration: Integration } & PageRequest,
): Promise<Page<ReviewSubmission>> {
  return page(request, {
    cursors,
    read: (count, after) => {
      const earlier = after === null ? {} : { number: { $lt: after } };
      return em.find(ReviewSubmission, { integrationId: integration.id, ...earlier }, { orderBy: { number: 'desc' }, limit: count });
    },
  });
}
