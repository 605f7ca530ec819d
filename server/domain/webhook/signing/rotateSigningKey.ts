import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { enqueue } from '../../shared/jobs.ts';
import { lockLiveKeys, maySignFrom, takeTurn } from './signingKeys.ts';

type Rotation = { readonly actor: Actor; readonly now: Date };

/**
 * The next key signs deliveries from now on, ahead of its time, and workers publish another next one (docs/specification.md, “Signing keys”).
 * Returns the kids of both. Errors: conflict (the next key has not been published for long enough, or there is none yet).
 */
export function rotateSigningKey(
  em: EntityManager,
  { actor, now }: Rotation,
): Promise<{ readonly former: string; readonly current: string }> {
  return em.transactional(async (tx) => {
    const { current, next } = await lockLiveKeys(tx);
    if (!current || !next) {
      throw new DomainError('conflict', {
        detail: 'No next key is published. The workers publish one when they start, and after each rotation.',
      });
    }
    const from = maySignFrom(next);
    if (from > now) {
      const published = `The next key ${next.id} was published at ${next.publishedAt.toISOString()}`;
      throw new DomainError('conflict', { detail: `${published}, and may sign from ${from.toISOString()} on. Rotate then.` });
    }
    await takeTurn(tx, { actor, current, next, now });
    await enqueue(tx, 'keepSigningKeys', {});
    return { former: current.id, current: next.id };
  });
}
