import type pg from 'pg';
import { connectionLimits, roleSettings } from '../connection/settings.ts';
import { formerRights, functions, queue, type Rights, rows, tables } from './grants.ts';
import { type DatabaseRole, processRoles, roleNames, type RoleNames } from './roleNames.ts';
import { refuseTablesWithoutRights, tablesWithRights } from './tablesWithoutRights.ts';

type Options = {
  readonly prefix?: string | undefined;
  /** How long it waits for a table whose rules for rows have changed; 0 for as long as it takes. */
  readonly lockTimeoutMs?: number;
  readonly former?: Rights;
};

/**
 * Gives each process's role exactly what the tables in `grants.ts` and `roleSettings.ts` say, and takes everything else from it and from
 * PUBLIC, in one transaction. It may be repeated. The session is the owner's. Missing roles are made, without a password, if the session may
 * do that. Throws Error for a missing role, a table without a line in `grants.ts`, and a line without a table.
 */
export async function applyGrants(
  client: pg.ClientBase,
  { prefix, lockTimeoutMs = 0, former = formerRights }: Options = {},
): Promise<void> {
  const names = roleNames(prefix);
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await ensureRoles(client, names);
    await refuseOtherTables(client, former);
    for (const statement of [
      ...(await takeBack(client, names)),
      ...[tables, former.tables]
        .flatMap(Object.entries<Rights['tables'][string]>)
        .flatMap(([table, grants]) => grantsOf(table, grants, names)),
      ...[functions, former.functions]
        .flatMap(Object.entries<readonly DatabaseRole[]>)
        .flatMap(([name, roles]) => roles.map((role) => `grant execute on function public.${name} to ${names[role]}`)),
      ...queueGrants(names),
      ...(await policyStatements(client, names, former)),
    ]) {
      await client.query(statement);
    }
    await applySettings(client, names);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function ensureRoles(client: pg.ClientBase, names: RoleNames): Promise<void> {
  const wanted = processRoles.map((role) => names[role]);
  const { rows: missing } = await client.query<{ name: string; may: boolean | null }>(
    `select w.name, (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as may
       from unnest($1::text[]) w(name) where not exists (select 1 from pg_roles where rolname = w.name)`,
    [wanted],
  );
  const named = missing.map(({ name }) => name);
  if (missing.some(({ may }) => !may)) {
    const statements = processRoles
      .filter((role) => named.includes(names[role]))
      .map((role) => `  create role ${names[role]} login connection limit ${connectionLimits[role]} password '…';`)
      .join('\n');
    throw new Error(
      `The database has no role ${named.join(', ')}. Have an administrator of the cluster run\n${statements}\nand run this again.`,
    );
  }
  for (const role of processRoles) {
    if (named.includes(names[role])) await client.query(`create role ${names[role]} login connection limit ${connectionLimits[role]}`);
  }
}

async function refuseOtherTables(client: pg.ClientBase, former: Rights): Promise<void> {
  const named = tablesWithRights(former);
  const found = await refuseTablesWithoutRights(client, named);
  const missing = [...named].filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`server/database/roles/grants.ts names ${missing.join(', ')}, which the database does not have.`);
}

/** The service's own functions; an extension's belong to the role that made the cluster. */
const functionsSql = `
select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
 where n.nspname in ('public', 'graphile_worker') and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;

async function takeBack(client: pg.ClientBase, names: RoleNames): Promise<string[]> {
  const everybody = ['public', ...processRoles.map((role) => names[role])].join(', ');
  const { rows: own } = await client.query<{ name: string }>(functionsSql);
  const database = await databaseName(client);
  return [
    `revoke all on database ${database} from ${everybody}`,
    `grant connect on database ${database} to ${processRoles.map((role) => names[role]).join(', ')}`,
    // What is made later is nobody's until this has run again.
    `alter default privileges revoke execute on functions from public`,
    ...['public', 'graphile_worker'].flatMap((schema) => [
      `revoke all on schema ${schema} from ${everybody}`,
      `revoke all on all tables in schema ${schema} from ${everybody}`,
      `revoke all on all sequences in schema ${schema} from ${everybody}`,
    ]),
    ...own.map(({ name }) => `revoke all on function ${name} from ${everybody}`),
    `grant usage on schema public to ${processRoles.map((role) => names[role]).join(', ')}`,
  ];
}

function grantsOf(table: string, grants: { readonly [Role in DatabaseRole]?: string }, names: RoleNames): string[] {
  return processRoles.flatMap((role) => (grants[role] === undefined ? [] : [`grant ${grants[role]} on public.${table} to ${names[role]}`]));
}

function queueGrants(names: RoleNames): string[] {
  const roles = queue.roles.map((role) => names[role]).join(', ');
  return [
    `grant usage on schema graphile_worker to ${roles}`,
    ...Object.entries(queue.tables).map(([table, verbs]) => `grant ${verbs} on graphile_worker.${table} to ${roles}`),
    `grant execute on all functions in schema graphile_worker to ${roles}`,
  ];
}

/** A rule for rows, as PostgreSQL knows it. Its text is kept in its comment, because PostgreSQL would show it in words of its own. */
type Policy = { readonly schema: string; readonly table: string; readonly name: string; readonly text: string };

/**
 * Rows are seen by everybody who may read the table unless it has rules, and then by nobody but those whom they name. graphile-worker protects
 * its tables in the same way, without a rule for anybody but their owner.
 */
function policies(names: RoleNames, former: Rights): Policy[] {
  return [
    ...rowPolicies(rows, names, { sees: 'sees', adds: 'adds' }),
    // Satisfying one of the rules is enough.
    ...rowPolicies(former.rows, names, { sees: 'saw', adds: 'added' }),
    ...queue.protected.flatMap((table) =>
      queue.roles.map((role) => {
        const text = `to ${names[role]} using (true) with check (true)`;
        return { schema: 'graphile_worker', table, name: `${names[role]}_works`, text };
      }),
    ),
  ];
}

function rowPolicies(of: Rights['rows'], names: RoleNames, { sees, adds }: { readonly sees: string; readonly adds: string }): Policy[] {
  return Object.entries(of).flatMap(([table, rules]) =>
    processRoles.flatMap((role) => {
      const rule = rules[role];
      if (!rule) return [];
      const own = { schema: 'public', table };
      return [
        { ...own, name: `${names[role]}_${sees}`, text: `for select to ${names[role]} using (${rule.see})` },
        { ...own, name: `${names[role]}_${adds}`, text: `for insert to ${names[role]} with check (${rule.add})` },
      ];
    }),
  );
}

const foundPoliciesSql = `
select n.nspname as schema, c.relname as table, p.polname as name, coalesce(obj_description(p.oid, 'pg_policy'), '') as text
  from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
 where n.nspname in ('public', 'graphile_worker')`;
const unprotectedSql = `
select relname as table from pg_class where relnamespace = 'public'::regnamespace and relname = any ($1) and not relrowsecurity`;

/** Only what differs, because changing a rule waits for everybody who is using the table. */
async function policyStatements(client: pg.ClientBase, names: RoleNames, former: Rights): Promise<string[]> {
  const wanted = policies(names, former);
  const { rows: found } = await client.query<Policy>(foundPoliciesSql);
  const { rows: unprotected } = await client.query<{ table: string }>(unprotectedSql, [Object.keys(rows)]);
  const same = (one: Policy, other: Policy) =>
    one.schema === other.schema && one.table === other.table && one.name === other.name && one.text === other.text;
  const place = ({ schema, table, name }: Policy) => `${name} on ${schema}.${table}`;
  return [
    ...found.filter((each) => !wanted.some((other) => same(each, other))).map((each) => `drop policy ${place(each)}`),
    ...wanted.flatMap((each) =>
      found.some((other) => same(each, other))
        ? []
        : [`create policy ${place(each)} ${each.text}`, `comment on policy ${place(each)} is '${each.text.replaceAll("'", "''")}'`],
    ),
    ...unprotected.map(({ table }) => `alter table public.${table} enable row level security`),
  ];
}

/** What is set for a role in this database, and whether it has set something for itself in all of them. */
const settingsSql = `
select coalesce((select setconfig from pg_db_role_setting where setrole = r.oid and setdatabase = d.oid), '{}') as set, r.rolconfig is not null as everywhere
  from pg_roles r, pg_database d where r.rolname = $1 and d.datname = current_database()`;

/**
 * The settings of each role in this database; what else was set for it, here or in all databases, is removed, because a role may set much for itself. Only an administrator of the roles may change them,
 * which an owner need not be: who has made them once need not do it again.
 */
async function applySettings(client: pg.ClientBase, names: RoleNames): Promise<void> {
  const differing: DatabaseRole[] = [];
  for (const role of processRoles) {
    const wanted = Object.entries(roleSettings[role]).map(([name, value]) => `${name}=${value}`.toLowerCase());
    const { rows: found } = await client.query<{ set: string[]; everywhere: boolean }>(settingsSql, [names[role]]);
    if (
      found[0]?.everywhere === true ||
      wanted.toSorted().join() !==
        found[0]?.set
          .map((each) => each.toLowerCase())
          .toSorted()
          .join()
    )
      differing.push(role);
  }
  if (differing.length === 0) return;
  const statements = roleSettingsSql(await databaseName(client), names, differing);
  try {
    await client.query(statements);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new Error(
      `This role may not change the settings of the others. Have an administrator of the cluster run\n${statements};\nand run this again.`,
      { cause: error },
    );
  }
}

async function databaseName(client: pg.ClientBase): Promise<string> {
  const { rows: found } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  return found[0]?.name ?? '';
}

/** Statements that give the roles their settings in a database, whose name is quoted. */
export function roleSettingsSql(database: string, names: RoleNames, roles: readonly DatabaseRole[] = processRoles): string {
  return roles
    .flatMap((role) => [
      `alter role ${names[role]} reset all`,
      `alter role ${names[role]} in database ${database} reset all`,
      ...Object.entries(roleSettings[role]).map(
        ([name, value]) => `alter role ${names[role]} in database ${database} set ${name} = '${value}'`,
      ),
    ])
    .join(';\n');
}
