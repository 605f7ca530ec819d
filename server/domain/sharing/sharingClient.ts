import type { EntityManager } from '@mikro-orm/postgresql';
import type { IntegrationStatus } from '../integration/integrationStatus.ts';
import type { Environment } from '../shared/environment.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import { sharingClientColumns, sharingClientFrom } from './sharingClient.sql.ts';

/** What sharing has to know about a client and its integration. */
export type SharingClient = {
  readonly number: number;
  readonly id: string;
  readonly environment: Environment;
  readonly integrationId: string;
  readonly operatorId: string;
  readonly integrationStatus: IntegrationStatus;
  /** The version to which users consent now: in production the reviewed one (null before any review), in the sandbox the current one. */
  readonly profileVersion: number | null;
  /** The client's own scopes. Together with a consent, they decide what is visible. */
  readonly scopes: readonly Scope[];
  /** Those of the client's scopes that this profile version requests as well: what a user can consent to now. */
  readonly grantableScopes: readonly Scope[];
  /** Both gates, the service's and the integration's. They affect production alone. */
  readonly productionDataEnabled: boolean;
};

const sharingClientSql = `select ${sharingClientColumns} from ${sharingClientFrom}`;

/**
 * The client with this number as it is now. A command that grants anything because of it holds the client's feed, since scopes change only under
 * that lock.
 */
export async function sharingClient(tx: EntityManager, clientNumber: number): Promise<SharingClient> {
  const [client] = await sql<SharingClient>(tx, `${sharingClientSql} where k.number = $1`, [clientNumber]);
  if (!client) throw new Error(`There is no client ${clientNumber}.`);
  return client;
}

/** An integration's client in one environment, or null if there is none (unique (integration_id, environment)). */
export async function sharingClientOf(tx: EntityManager, integrationId: string, environment: Environment): Promise<SharingClient | null> {
  const [client] = await sql<SharingClient>(tx, `${sharingClientSql} where k.integration_id = $1 and k.environment = $2`, [
    integrationId,
    environment,
  ]);
  return client ?? null;
}
