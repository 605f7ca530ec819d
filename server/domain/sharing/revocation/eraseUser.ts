import { takeLock } from '../../shared/locks.ts';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { ServiceTokenActor } from '../../shared/actor.ts';
import { refuseInvalid } from '../../shared/DomainError.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { userRef } from '../../shared/lookupKeys.ts';
import { sql } from '../../shared/sql.ts';
import { lockBatches } from '../../tracking/lockBatches.ts';
import {
  deleteOrdersSql,
  endLinkCodesSql,
  liveConnectionsSql,
  lockClientFeedsSql,
  lockClientsSql,
  lockLinkCodesSql,
  lockOrdersSql,
  replaceInBasesSql,
  replaceInConnectionsSql,
} from './eraseUser.sql.ts';
import { lockUser } from '../lockUser.ts';
import { userErrors } from '../sharingRules.ts';
import { discardDeliveries } from '../../outbox/discardDeliveries.ts';
import { revokeConnections } from './revokeConnections.ts';

type EraseUser = {
  readonly actor: ServiceTokenActor;
  readonly lookupKeys: LookupKeys;
  readonly user: string;
  readonly now: Date;
};

type LiveConnection = { clientNumber: number; id: string; integrationId: string; operatorId: string };

/**
 * Erases a user of the token's environment (docs/specification.md, “Erasure”): revokes all connections, ends live link codes, deletes the
 * user's orders with their history, and puts a random value wherever the user's HMAC stood, also in what statistics were computed from.
 * Afterwards no row contains it. Tombstones and revocations stay, because operators still have to delete. Erasing again finds nothing and
 * changes nothing. The erasure waits for batches in progress, and batches wait for it. Errors: invalid_request.
 */
export async function eraseUser(
  em: EntityManager,
  { actor, lookupKeys, user, now }: EraseUser,
): Promise<{ revokedConnections: number; deletedOrders: number }> {
  refuseInvalid(userErrors(user));
  const { environment } = actor;
  const reference = userRef(lookupKeys, environment, user);
  const replacement = randomBytes(reference.length);
  return em.transactional(async (tx) => {
    await lockBatches(tx, environment, 'exclusive');
    await lockUser(tx, reference, 'exclusive');
    const linkCodes = await takeLock(tx, lockLinkCodesSql, [reference, environment]);
    await sql(tx, endLinkCodesSql, [reference, environment, replacement, now]);
    const orders = await takeLock<{ id: string }>(tx, lockOrdersSql, [reference, environment]);
    const clients = await takeLock<{ number: number }>(tx, lockClientsSql, [reference]);
    const clientNumbers = clients.map(({ number }) => number);
    await sql(tx, replaceInBasesSql, [clientNumbers, reference.toString('hex'), replacement.toString('hex')]);

    await takeLock(tx, lockClientFeedsSql, [clientNumbers]);
    const connections = await sql<LiveConnection>(tx, liveConnectionsSql, [reference]);
    await discardDeliveries(tx, {
      subjects: connections.map(({ clientNumber, id }) => ({ clientNumber, connectionId: id })),
      reason: 'access_revoked',
      now,
    });
    for (const connection of connections) await endConnection(tx, actor, connection, now);
    await sql(tx, replaceInConnectionsSql, [reference, replacement]);
    await sql(tx, deleteOrdersSql, [orders.map(({ id }) => id)]);
    if (linkCodes.length + orders.length + clients.length > 0) {
      await record(tx, actor, now, {
        action: 'user.erased',
        // Says nothing about the user. Only the remaining rows have it in common.
        subject: { type: 'user', id: replacement.toString('hex') },
        details: { environment, connections: connections.length, orders: orders.length },
      });
    }
    return { revokedConnections: connections.length, deletedOrders: orders.length };
  });
}

async function endConnection(
  tx: EntityManager,
  actor: ServiceTokenActor,
  { clientNumber, id, integrationId, operatorId }: LiveConnection,
  now: Date,
): Promise<void> {
  const [revocation] = await revokeConnections(tx, { clientNumber, connectionIds: [id], now });
  await record(tx, actor, now, {
    action: 'connection.revoked',
    subject: { type: 'connection', id },
    operatorId,
    integrationId,
    details: { revocationId: revocation?.revocationId ?? '' },
  });
}
