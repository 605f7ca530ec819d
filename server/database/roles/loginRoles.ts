import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { postgresVersion } from '../connection/postgresVersion.ts';
import { type DatabaseRole, processRoles, roleNames } from './roleNames.ts';

/** Who connects to a cluster of our own, besides its superuser. */
type Login = DatabaseRole | 'owner';
const logins = ['owner', 'portal', 'machine_api', 'workers'] as const satisfies readonly Login[];

/**
 * Makes the roles of an installation in a cluster of our own, each with a password that follows from the superuser's, so that no file has to
 * keep it.
 */
export async function ensureLoginRoles(superuser: pg.ClientBase, superuserUrl: string, prefix?: string): Promise<void> {
  const names = roleNames(prefix);
  const { rows } = await superuser.query<{ rolname: string | null }>('select rolname from pg_roles');
  for (const login of logins) {
    const name = names[login];
    const verb = rows.some(({ rolname }) => rolname === name) ? 'alter' : 'create';
    await superuser.query(`${verb} role ${name} login password '${passwordOf(superuserUrl, name)}'`);
  }
  // Nobody else has a reason to be in the cluster's other databases.
  await superuser.query('revoke connect, temporary on database postgres, template1 from public');
  // The owner gives the others their settings, and cannot act as one of them. PostgreSQL 15 knows no such grant, and needs none.
  await superuser.query(`alter role ${names.owner} createrole`);
  if ((await postgresVersion(superuser)).major < 16) return;
  for (const role of processRoles)
    await superuser.query(`grant ${names[role]} to ${names.owner} with admin true, inherit false, set false`);
}

/** The URL by which a role connects to the database that the superuser's URL names. It contains the password, so never log it. */
export function roleUrl(superuserUrl: string, login: Login, prefix?: string): string {
  const url = new URL(superuserUrl);
  const name = roleNames(prefix)[login];
  url.password = passwordOf(superuserUrl, name);
  url.username = name;
  return url.href;
}

/** What follows from the password of the URL by which everything is made. */
export function passwordOf(superuserUrl: string, name: string): string {
  return createHmac('sha256', decodeURIComponent(new URL(superuserUrl).password))
    .update(name)
    .digest('base64url');
}
