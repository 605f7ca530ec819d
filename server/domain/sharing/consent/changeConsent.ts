import type { EntityManager } from '@mikro-orm/postgresql';
import { scopeBits, type Scope } from '../../shared/scopes.ts';
import { sql } from '../../shared/sql.ts';
import { emitEvent } from '../../outbox/emitEvent.ts';
import { recheckDeliveries } from '../../outbox/wakePump.ts';
import type { GrantedResource } from '../grantResources.ts';

/**
 * The live shares of a connection (index shared_resource_live) that look different to the client under the new consent. Every snapshot
 * names the scopes in effect, so these are all shares whose scopes in effect change. `$3` is the new bits, `$4` the client's bits.
 */
const moveSharesSql = `
with seen as materialized (
  select id, row_number() over (order by id) as n from shared_resource
   where client_number = $1 and connection_id = $2 and revocation_id is null and (consented::int & $4::int) <> ($3::int & $4::int)),
heads as (
  update client_feed set head = head + (select count(*) from seen) where client_number = $1 returning head - (select count(*) from seen) as base)
update shared_resource s set consented = $3::int, position = h.base + m.n, revision = s.revision + 1, updated_at = $5
  from seen m, heads h where s.client_number = $1 and s.id = m.id
returning s.id, s.type`;

const keepSharesSql = `
update shared_resource set consented = $3::int
 where client_number = $1 and connection_id = $2 and revocation_id is null and consented <> $3::int`;

type ChangeConsent = {
  readonly clientNumber: number;
  readonly connectionId: string;
  readonly scopes: readonly Scope[];
  /** The client's own scopes, without which it sees nothing. */
  readonly clientScopes: readonly Scope[];
  readonly now: Date;
};

/**
 * Gives a live connection other scopes, in the caller's transaction, which holds the client's feed. Resources that now look different take
 * new revisions and positions with their `resource.updated` events; if nothing visible changes, nothing moves. Returns how many have moved.
 * The caller first revokes what can no longer be read at all.
 */
export async function changeConsent(
  tx: EntityManager,
  { clientNumber, connectionId, scopes, clientScopes, now }: ChangeConsent,
): Promise<number> {
  await sql(tx, 'update connection set scopes = $3 where client_number = $1 and id = $2', [clientNumber, connectionId, scopes]);
  const bits = scopeBits(...scopes);
  const moved = await sql<GrantedResource>(tx, moveSharesSql, [clientNumber, connectionId, bits, scopeBits(...clientScopes), now]);
  await sql(tx, keepSharesSql, [clientNumber, connectionId, bits]);
  await emitEvent(
    tx,
    moved.map(({ id, type }) => ({ type: 'resource.updated', clientNumber, connectionId, resource: { id, type } })),
    now,
  );
  // What waits to be sent must be built from what this leaves visible.
  await recheckDeliveries(tx, { clientNumber });
  return moved.length;
}
