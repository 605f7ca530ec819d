import pg from 'pg';
import { migrateDatabase } from '../../server/database/migrate.ts';
import { ensureLoginRoles, roleUrl } from '../../server/database/roles/loginRoles.ts';
import { roleNames } from '../../server/database/roles/roleNames.ts';
import type { PostgresPair } from './PostgresPair.ts';

/** The service's database in the cluster of a drill. */
export const database = 'operator_integration';

/** The database with its roles, migrated by its owner. */
export async function makeDatabase({ primary }: PostgresPair): Promise<void> {
  const superuser = new pg.Client({ connectionString: primary.url() });
  await superuser.connect();
  await ensureLoginRoles(superuser, primary.url());
  await superuser.query(`create database ${database} owner ${roleNames().owner}`);
  await superuser.end();
  await migrateDatabase(roleUrl(primary.url(database), 'owner'));
}

/** Redemptions of a drill come from few clients, so the limits that would refuse them are out of the way. */
export async function liftLimits(postgres: PostgresPair): Promise<void> {
  await postgres.primary.rows(
    `insert into quota_override (client_number, quota, value, reason, created_at)
     select number, unnest(array['link_code_redemptions_per_hour', 'link_code_redemptions_per_ip_per_15_minutes']), 1000000000, 'drill', now() from client`,
    [],
    database,
  );
}
