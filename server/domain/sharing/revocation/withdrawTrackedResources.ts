import { locking, takeLock } from '../../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { lockFeeds } from '../../feed/lockFeeds.ts';
import type { ServiceTokenActor } from '../../shared/actor.ts';
import { refuseInvalid, type FieldError } from '../../shared/DomainError.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { limits } from '../../shared/limits.ts';
import { sourceKey } from '../../shared/lookupKeys.ts';
import { sql } from '../../shared/sql.ts';
import type { ResourceType } from '../../tracking/allowlist.ts';
import { isSourceReference } from '../../tracking/sourceReference.ts';
import { sharingClient } from '../sharingClient.ts';
import { revokeResources } from './revokeResources.ts';

type NamedResource = { readonly type: ResourceType; readonly key: string };

/** Unique tracked_resource (environment, type, source_key). */
const lockResourcesSql = locking(
  'trackedResource',
  'no key update of t',
  (clause) => `
select t.id from unnest($2::text[], $3::bytea[]) u(type, source_key)
  join tracked_resource t on t.environment = $1 and t.type = u.type and t.source_key = u.source_key
 order by t.id ${clause}`,
);

/** Key, version, user and last sequence stay, because an older version must still be recognised and an erasure must find the row. */
const emptyResourcesSql = `
update tracked_resource set withdrawn_at = $2, core = '{}', shipping = null, history_forgotten = true
 where id = any($1::bigint[]) and withdrawn_at is null`;

const forgetHistorySql = 'delete from tracked_change where tracked_resource_id = any($1::bigint[])';

/** Index shared_resource_fan_out. Materialized, because PostgreSQL plans a semi-join with a large array badly. */
const liveSharesSql = `
with withdrawn as materialized (select unnest($1::bigint[]) as id)
select s.client_number as "clientNumber", s.id from withdrawn w join shared_resource s on s.tracked_resource_id = w.id and s.revocation_id is null
 order by s.client_number, s.id`;

/**
 * Withdraws orders and stock vehicles of the token's environment from everybody (docs/specification.md, “Supplying resources”). Each live
 * share of them is revoked, with its own tombstone and deadline. Everything that was stored about them, including history, is deleted at
 * once, because nothing shows it any more. `withdrawn` is how many are withdrawn now, including earlier ones; `unknown` is how many were
 * never supplied. A newer version brings a resource back, shared with nobody and with a history that stays incomplete. Errors:
 * invalid_request by field, which changes nothing.
 */
export async function withdrawTrackedResources(
  em: EntityManager,
  {
    actor,
    lookupKeys,
    resources,
    now,
  }: { actor: ServiceTokenActor; lookupKeys: LookupKeys; resources: readonly NamedResource[]; now: Date },
): Promise<{ withdrawn: number; unknown: number }> {
  refuseInvalid(batchErrors(resources));
  const named = new Map(resources.map((resource) => [`${resource.type} ${resource.key}`, resource]));
  return em.transactional(async (tx) => {
    const rows = await takeLock<{ id: string }>(tx, lockResourcesSql, [
      actor.environment,
      [...named.values()].map(({ type }) => type),
      [...named.values()].map(({ type, key }) => sourceKey(lookupKeys, actor.environment, type, key)),
    ]);
    const ids = rows.map(({ id }) => id);
    await sql(tx, emptyResourcesSql, [ids, now]);
    await sql(tx, forgetHistorySql, [ids]);
    await lockFeeds(tx, ids);
    const shares = await sql<{ clientNumber: number; id: string }>(tx, liveSharesSql, [ids]);
    const revoked = await revokeResources(tx, { shares, now });
    await recordByClient(
      tx,
      actor,
      revoked.map(({ clientNumber }) => clientNumber),
      now,
    );
    return { withdrawn: ids.length, unknown: named.size - ids.length };
  });
}

function batchErrors(resources: readonly NamedResource[]): FieldError[] {
  if (resources.length < 1 || resources.length > limits.upsertBatch) {
    return [{ path: 'resources', message: `A batch must have 1 to ${limits.upsertBatch} resources.` }];
  }
  return resources.flatMap(({ key }, index) =>
    isSourceReference(key) ? [] : [{ path: `resources[${index}].key`, message: 'A key must have 1 to 200 visible characters.' }],
  );
}

/** One line for each client that lost access to something, for its operator's trail. */
async function recordByClient(tx: EntityManager, actor: ServiceTokenActor, clientNumbers: readonly number[], now: Date): Promise<void> {
  for (const clientNumber of new Set(clientNumbers)) {
    const { id, operatorId, integrationId } = await sharingClient(tx, clientNumber);
    await record(tx, actor, now, {
      action: 'tracked_resource.withdrawn',
      subject: { type: 'client', id },
      operatorId,
      integrationId,
      details: { revokedResources: clientNumbers.filter((number) => number === clientNumber).length },
    });
  }
}
