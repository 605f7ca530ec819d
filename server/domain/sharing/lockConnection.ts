import type { EntityManager } from '@mikro-orm/postgresql';
import { lockFeed } from '../feed/lockFeeds.ts';
import { DomainError } from '../shared/DomainError.ts';
import type { Environment } from '../shared/environment.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';

/** Where a connection belongs. This never changes. */
type ConnectionPlace = {
  readonly clientNumber: number;
  readonly userRef: Buffer;
  readonly integrationId: string;
  readonly operatorId: string;
};

/** Index connection_public_id, of every client: the answer names the client for all that follows. */
const findConnectionSql = `
select c.client_number as "clientNumber", c.user_ref as "userRef", i.id as "integrationId", i.operator_id as "operatorId"
  from connection c join client k on k.number = c.client_number join integration i on i.id = k.integration_id
 where c.id = $1 and k.environment = $2`;

/**
 * A connection by its ID alone, as the tooling names it. Throws not_found for a connection of the other environment, as for one that never
 * existed.
 */
export async function findConnection(tx: EntityManager, connectionId: string, environment: Environment): Promise<ConnectionPlace> {
  const [place] = await sql<ConnectionPlace>(tx, findConnectionSql, [connectionId, environment]);
  if (!place) throw new DomainError('not_found', { detail: 'There is no such connection.' });
  return place;
}

/**
 * The consent of a live connection, held until the end of the transaction: it changes only under the feed's lock, which this function
 * takes. Throws conflict for a revoked one.
 */
export async function lockLiveConnection(
  tx: EntityManager,
  { clientNumber, connectionId }: { clientNumber: number; connectionId: string },
): Promise<{ readonly scopes: readonly Scope[] }> {
  await lockFeed(tx, clientNumber);
  const [connection] = await sql<{ scopes: Scope[] }>(
    tx,
    'select scopes from connection where client_number = $1 and id = $2 and revocation_id is null',
    [clientNumber, connectionId],
  );
  if (!connection) throw new DomainError('conflict', { detail: 'This connection has been revoked.' });
  return connection;
}
