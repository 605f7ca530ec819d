import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../shared/environment.ts';
import { newId } from '../shared/ids.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import { Client } from './Client.ts';

/** Creates a client with its empty feed and its baseline quota, in the caller's transaction. */
export async function createClient(
  tx: EntityManager,
  { integrationId, environment, scopes, now }: { integrationId: string; environment: Environment; scopes: readonly Scope[]; now: Date },
): Promise<Client> {
  const client = tx.create(Client, { id: newId('cli'), integrationId, environment, scopes: [...scopes], createdAt: now });
  tx.persist(client);
  await tx.flush();
  await sql(tx, 'insert into client_feed (client_number) values ($1)', [client.number]);
  await sql(tx, 'insert into client_quota (client_number) values ($1)', [client.number]);
  return client;
}
