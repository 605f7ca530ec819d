import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { countEvidence } from '../../evidence/countEvidence.ts';
import { lockFeed } from '../../feed/lockFeeds.ts';
import type { ClientActor } from '../../shared/actor.ts';
import type { Environment } from '../../shared/environment.ts';
import { newId } from '../../shared/ids.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { takeLock } from '../../shared/locks.ts';
import { linkCodeHmacs } from '../../shared/lookupKeys.ts';
import type { Scope } from '../../shared/scopes.ts';
import { sql } from '../../shared/sql.ts';
import { emitEvent } from '../../webhook/emitEvent.ts';
import { changeInConnections } from '../consent/changeParticipation.ts';
import { grantResources, readScopes, type GrantedResource, type PinnedResource } from '../grantResources.ts';
import { sharingClient } from '../sharingClient.ts';
import { isSharable } from '../sharingRules.ts';
import { insertConnectionSql, judgeLinkCodeSql, pinCodeResourcesSql, redeemSql } from './redeemLinkCode.sql.ts';

type RedeemLinkCode = {
  readonly actor: ClientActor;
  /** Who redeems, as admission found it. What the client may have is read again, under the feed's lock. */
  readonly client: { readonly no: number; readonly environment: Environment };
  readonly lookupKeys: LookupKeys;
  /** Ten digits. */
  readonly code: string;
  readonly now: Date;
};

type JudgedCode = {
  readonly id: string;
  readonly userRef: Buffer;
  readonly profileVersion: number;
  readonly scopes: readonly Scope[];
  readonly statisticsOptedIn: boolean;
  readonly redeemable: boolean;
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
    const [linkCode] = await takeLock<JudgedCode>(tx, judgeLinkCodeSql, [
      client.environment,
      linkCodeHmacs(lookupKeys, client.environment, code),
      client.no,
      now,
    ]);
    if (!linkCode?.redeemable) return null;
    const pinned = await takeLock<PinnedResource>(tx, pinCodeResourcesSql, [linkCode.id]);
    await lockFeed(tx, client.no);
    const sharing = await sharingClient(tx, client.no);
    const { integrationId, operatorId, grantableScopes } = sharing;
    // Since the request was admitted, the integration was suspended or retired, or its gate was closed. After a retirement, nobody would
    // revoke the connection any more.
    if (!isSharable(sharing)) return null;
    const scopes = linkCode.scopes.filter((scope) => grantableScopes.includes(scope));
    const resources = pinned.filter(({ type }) => scopes.includes(readScopes[type]));
    if (resources.length === 0) return null;

    const connectionId = newId('con');
    await sql(tx, redeemSql, [linkCode.id, now, connectionId]);
    await sql(tx, insertConnectionSql, [
      client.no,
      connectionId,
      linkCode.userRef,
      linkCode.profileVersion,
      scopes,
      linkCode.statisticsOptedIn,
      now,
    ]);
    await record(tx, actor, now, {
      action: 'link_code.redeemed',
      subject: { type: 'connection', id: connectionId },
      operatorId,
      integrationId,
      details: { linkCodeId: linkCode.id, resources: resources.length, scopes: scopes.join(' ') },
    });
    // The latest choice applies to the whole integration, so a second link neither hides a no nor loses a yes.
    const { userRef, statisticsOptedIn } = linkCode;
    await changeInConnections(tx, { actor, client: sharing, userRef, optedIn: statisticsOptedIn, now });
    await emitEvent(tx, [{ type: 'connection.created', clientNo: client.no, connectionId }], now);
    const granted = await grantResources(tx, { clientNo: client.no, connectionId, scopes, resources, now });
    await countEvidence(tx, { clientNo: client.no, kind: 'link_code_redeemed', now });
    return { connectionId, resources: granted };
  });
}
