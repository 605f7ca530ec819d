import type pg from 'pg';
import type { Say } from '../migration/migrationSession.ts';
import type { RoleNames } from './roleNames.ts';

/** The service has no large objects. PostgreSQL lets everybody who may connect make them, as many as fit on the disk. */
export const refuseLargeObjectsSql = 'revoke execute on function lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) from public';

const mayMakeSql = `
select exists (select from unnest(array['lo_create(oid)', 'lo_creat(integer)', 'lo_from_bytea(oid, bytea)']) f(name), unnest($1::text[]) r(name)
                where has_function_privilege(r.name, f.name, 'execute')) as may`;

/** Says what an administrator has to run if the processes may make large objects. Only the owner of the functions, a superuser, can forbid it. */
export async function tellLargeObjects(client: pg.ClientBase, { portal, machine_api, workers }: RoleNames, say: Say): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(mayMakeSql, [[portal, machine_api, workers]]);
  if (rows[0]?.may !== true) return;
  say(
    `Processes may fill the disk with large objects. Have an administrator of the cluster run in this database: ${refuseLargeObjectsSql};`,
  );
}
