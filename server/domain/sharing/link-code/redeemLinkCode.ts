import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClientActor } from '../../shared/actor.ts';
import type { Environment } from '../../shared/environment.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { noteLock } from '../../shared/locks.ts';
import { linkCodeHmacs } from '../../shared/lookupKeys.ts';
import { sql } from '../../shared/sql.ts';
import type { GrantedResource } from '../grantResources.ts';
import { redeemLinkCodeSql } from './redeemLinkCode.sql.ts';

type RedeemLinkCode = {
  readonly actor: ClientActor;
  /** Who redeems, as admission found it. What the client may have is read again, under the feed's lock. */
  readonly client: { readonly number: number; readonly environment: Environment };
  readonly lookupKeys: LookupKeys;
  /** Ten digits. */
  readonly code: string;
  readonly now: Date;
};

type Redeemed = {
  readonly connectionId: string;
  readonly resources: GrantedResource[];
};

/**
 * Exchanges a link code for a new connection with new resource ids (docs/specification.md, “Redemption”). The connection's scopes are those
 * consented to that the profile and the client have at this moment; what cannot be read under them, or was withdrawn, is not granted. Its
 * choice on statistics holds for the user's other connections as well. Of simultaneous redemptions exactly one wins.
 *
 * Null whenever there is nothing to redeem, for whatever reason: the transaction commits all the same, because a failed attempt counts.
 */
export function redeemLinkCode(
  em: EntityManager,
  { actor, client, lookupKeys, code, now }: RedeemLinkCode,
): Promise<{ connectionId: string; resources: GrantedResource[] } | null> {
  return em.transactional(async (tx) => {
    noteLock(tx, 'linkCode');
    noteLock(tx, 'trackedResource');
    noteLock(tx, 'feed');
    noteLock(tx, 'evidence');
    const hmacs = linkCodeHmacs(lookupKeys, client.environment, code);
    const [row] = await sql<{ redeemed: Redeemed | null }>(tx, redeemLinkCodeSql, [
      client.environment,
      hmacs,
      client.number,
      actor.requestId,
      actor.ip,
      now,
    ]);
    return row?.redeemed ?? null;
  });
}
