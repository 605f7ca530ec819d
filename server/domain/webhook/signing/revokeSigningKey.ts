import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { Actor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { enqueue } from '../../shared/jobs.ts';
import { sql } from '../../shared/sql.ts';
import { type LiveKey, lockLiveKeys, takeTurn } from './signingKeys.ts';
import { receivesNow } from '../../outbox/webhookEndpointStatus.ts';

type Revoking = {
  readonly actor: Actor;
  readonly kid: string;
  readonly now: Date;
  /** Is told to how many endpoints the key signs deliveries now, before it goes, and may throw. */
  readonly agree?: (endpoints: number) => void;
};

const endpointsSql = `select count(*)::int as endpoints from webhook_endpoint where ${receivesNow()}`;

/** What signs after a key was revoked: as before, the next key ahead of its time, or a key that has yet to be made. */
export type AfterRevoking =
  | { readonly signs: 'as_before' }
  | { readonly signs: 'next'; readonly next: LiveKey }
  | { readonly signs: 'new' };

/**
 * Removes a key that somebody else may have, at once and for ever: it is published no longer and signs nothing more. If it was the current one,
 * the next one takes its turn, however long it has been published (docs/specification.md, “Signing keys”). Errors: not_found.
 */
export function revokeSigningKey(em: EntityManager, { actor, kid, now, agree }: Revoking): Promise<AfterRevoking> {
  return em.transactional(async (tx) => {
    const { current, next } = await lockLiveKeys(tx);
    const removed = await sql(tx, 'delete from webhook_signing_key where id = $1 returning 1', [kid]);
    if (removed.length === 0) throw new DomainError('not_found', { detail: 'No key with this kid is published.' });
    const [served] = await sql<{ endpoints: number }>(tx, endpointsSql);
    agree?.(current?.id === kid ? (served?.endpoints ?? 0) : 0);
    await record(tx, actor, now, { action: 'signing_key.revoked', subject: { type: 'signing_key', id: kid } });
    await enqueue(tx, 'keepSigningKeys', {});
    if (current && current.id !== kid) return { signs: 'as_before' };
    if (!next || next.id === kid) return { signs: 'new' };
    await takeTurn(tx, { actor, current: undefined, next, now });
    return { signs: 'next', next };
  });
}
