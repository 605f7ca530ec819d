import type { EntityManager } from '@mikro-orm/postgresql';
import { takeAttempt } from '../account/attempts.ts';
import { Integration } from './Integration.ts';
import { slugRefusal } from './slugRefusal.ts';

/**
 * Whether an integration could be created under this slug now. Slugs are public once an integration is listed, and trying to create one
 * reveals as much; the limit keeps anybody from enumerating the others. Errors: rate_limit_exceeded.
 */
export async function slugAvailable(
  em: EntityManager,
  { operatorId, slug }: { operatorId: string; slug: string },
  now: Date,
): Promise<boolean> {
  if (slugRefusal(slug) !== null) return false;
  await takeAttempt(em, { kind: 'slug_operator', source: operatorId }, now);
  return (await em.count(Integration, { slug })) === 0;
}
