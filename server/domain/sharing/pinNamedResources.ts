import { locking, takeLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid, type FieldError } from '../shared/DomainError.ts';
import type { Environment } from '../shared/environment.ts';
import type { LookupKeys } from '../shared/keySet.ts';
import { sourceKey } from '../shared/lookupKeys.ts';
import type { PinnedResource } from './grantResources.ts';
import type { NamedResources } from './sharingRules.ts';

/** Unique tracked_resource (environment, type, source_key). */
const pinNamedResourcesSql = locking(
  'trackedResource',
  'share of t',
  (clause) => `
select t.id as "trackedResourceId", t.type, t.source_key as "sourceKey"
  from unnest($2::text[], $3::bytea[]) u(type, source_key)
  join tracked_resource t on t.environment = $1 and t.type = u.type and t.source_key = u.source_key
 where t.withdrawn_at is null and (t.type = 'vehicle' or t.user_ref = $4)
 order by t.id ${clause}`,
);

/** Keys of resources, as the order-tracking service's tooling names them. */
export function sourceKeysOf(
  { orders, vehicles }: NamedResources,
  { lookupKeys, environment }: { lookupKeys: LookupKeys; environment: Environment },
): { path: string; type: 'order' | 'vehicle'; sourceKey: Buffer }[] {
  const keysOf = (type: 'order' | 'vehicle', list: string, keys: readonly string[]) =>
    keys.map((key, index) => ({ path: `input.${list}[${index}]`, type, sourceKey: sourceKey(lookupKeys, environment, type, key) }));
  return [...keysOf('order', 'orders', orders), ...keysOf('vehicle', 'vehicles', vehicles)];
}

/**
 * Pins a user's own orders and stock vehicles until the end of the transaction, so that they can be shared. Returns each once, by ID.
 * Throws invalid_request with the path of each resource that the user cannot share. An unknown one, a withdrawn one and another user's
 * order read the same.
 */
export async function pinNamedResources(
  tx: EntityManager,
  { named, ...owner }: { named: NamedResources; lookupKeys: LookupKeys; environment: Environment; userRef: Buffer },
): Promise<PinnedResource[]> {
  const keys = sourceKeysOf(named, owner);
  if (keys.length === 0) return [];
  const rows = await takeLock<PinnedResource & { sourceKey: Buffer }>(tx, pinNamedResourcesSql, [
    owner.environment,
    keys.map(({ type }) => type),
    keys.map((key) => key.sourceKey),
    owner.userRef,
  ]);
  const found = new Map(rows.map((row) => [row.sourceKey.toString('hex'), row]));
  refuseInvalid(
    keys.flatMap(({ path, type, sourceKey: key }): FieldError[] =>
      found.has(key.toString('hex'))
        ? []
        : [{ path, message: type === 'order' ? 'There is no such order of this user.' : 'There is no such vehicle.' }],
    ),
  );
  return [...found.values()].map(({ trackedResourceId, type }) => ({ trackedResourceId, type }));
}
