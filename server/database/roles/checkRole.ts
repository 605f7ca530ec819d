import type { Config } from '../../config/config.ts';
import type { Logger } from '../../platform/logger.ts';
import { openClient } from '../connection/openPool.ts';
import { roleSettings } from '../connection/settings.ts';
import { type DatabaseRole, roleNames } from './roleNames.ts';

type Found = {
  readonly name: string;
  readonly superuser: boolean | null;
  readonly owner: boolean;
  /** What the role may do besides, in words of PostgreSQL: attributes such as `bypassrls`, and the roles whose rights it has as well. */
  readonly besides: readonly string[];
  /** The settings of the role that its sessions do not have. */
  readonly unset: readonly string[];
};

/** Who we are, whether nothing is forbidden to us, and whether we could alter the tables. */
const roleSql = `
select r.rolname as name, r.rolsuper as superuser,
       exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname = 'public' and c.relname = 'integration' and pg_has_role(r.oid, c.relowner, 'member')) as owner,
       array_remove(array[case when r.rolbypassrls then 'bypassrls' end, case when r.rolcreaterole then 'createrole' end,
                          case when r.rolcreatedb then 'createdb' end, case when r.rolreplication then 'replication' end], null)
         || array(select 'a member of ' || g.rolname from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid order by 1) as besides,
       array(select wanted.name from unnest($1::text[], $2::text[]) wanted(name, value) join pg_settings s on lower(s.name) = lower(wanted.name)
              where s.setting <> wanted.value order by 1) as unset
  from pg_roles r where r.rolname = current_user`;

/**
 * Looks whether a process is about to connect with the role that is its own, which may nothing besides and has its settings. Any other one is worth a warning in development. In
 * production it throws, because an attacker who breaks into the process would hold that role's rights.
 */
export async function checkRole(
  databaseUrl: string,
  role: DatabaseRole,
  {
    config,
    logger,
    variable = 'DATABASE_URL',
  }: {
    readonly config: Pick<Config, 'production' | 'databaseRolePrefix'>;
    readonly logger: Logger;
    /** Where the URL stands. */
    readonly variable?: string;
  },
): Promise<void> {
  const client = await openClient(databaseUrl, 'start-check', { connectionTimeoutMillis: 10_000, query_timeout: 10_000 });
  try {
    const wanted = roleNames(config.databaseRolePrefix)[role];
    const settings = Object.entries<string | number>(roleSettings[role]);
    const { rows } = await client.query<Found>(roleSql, [settings.map(([name]) => name), settings.map(([, value]) => String(value))]);
    const words = rows[0] && wrongRole(rows[0], wanted, variable);
    if (words === undefined) return;
    if (config.production) throw new Error(words);
    logger.warn({ role: rows[0]?.name, expected: wanted }, 'database.otherRole');
  } finally {
    await client.end();
  }
}

/** What is wrong with connecting as this role, in words. */
function wrongRole({ name, superuser, owner, besides, unset }: Found, wanted: string, variable: string): string | undefined {
  if (name === wanted && !superuser && !owner && besides.length === 0) {
    if (unset.length === 0) return undefined;
    return `${variable} connects as ${name}, whose sessions lack settings that this process relies on: ${unset.join(', ')}. Run the migrate command, which gives each role its settings (docs/operating.md, “Roles”).`;
  }
  const what = superuser
    ? `${name}, to whom nothing is forbidden`
    : owner
      ? `${name}, who owns the tables`
      : [name, ...(besides.length > 0 ? [`who is ${besides.join(', ')}`] : [])].join(', ');
  return `${variable} connects as ${what}. This process connects as ${wanted}, which may do what it needs and nothing else (docs/operating.md, “Roles”).`;
}
