import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { loadKeyRing } from '../../server/database/keyRing.ts';
import { applyGrants } from '../../server/database/roles/applyGrants.ts';
import { checkRole } from '../../server/database/roles/checkRole.ts';
import { formerRights, functions, queue, rows as rowRules, tables } from '../../server/database/roles/grants.ts';
import { processRoles, roleNames, type DatabaseRole } from '../../server/database/roles/roleNames.ts';
import { postgresVersion } from '../../server/database/connection/postgresVersion.ts';
import { roleSettings } from '../../server/database/connection/settings.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { verbsOf } from '../support/run/lostRights.ts';
import { openWorld } from '../support/world/openWorld.ts';
import type { World } from '../support/world/World.ts';
import { masterKeys } from '../support/world/testKeys.ts';

const names = roleNames();
let world: World;
const clients: pg.Client[] = [];
let as: Record<DatabaseRole | 'owner', pg.Client>;

beforeAll(async () => {
  world = await openWorld({});
  const { owner, portal, machineApi, workers } = world.urls;
  const open = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    clients.push(client);
    await client.connect();
    return client;
  };
  as = { owner: await open(owner), portal: await open(portal), machine_api: await open(machineApi), workers: await open(workers) };
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await world.close();
});

const verbs = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'] as const;
/** What PostgreSQL knows since 17. */
const laterVerbs = ['maintain'] as const;
const verbsOfColumns = ['select', 'insert', 'update', 'references'] as const;

/** Every privilege on every table and column, as PostgreSQL's catalogue has it. */
async function privileges(role: DatabaseRole): Promise<string[]> {
  const { major } = await postgresVersion(as.owner);
  const found = await world.rows<{ held: string }>(
    `select format('%s %s', c.relname, v) as held from pg_class c, unnest($2::text[]) v
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and has_table_privilege($1, c.oid, v)
     union all
     select format('%s %s(%s)', c.relname, v, a.attname) from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped, unnest($3::text[]) v
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
        and has_column_privilege($1, c.oid, a.attnum, v) and not has_table_privilege($1, c.oid, v)`,
    [names[role], [...verbs, ...(major >= 17 ? laterVerbs : [])], verbsOfColumns],
  );
  return found.map(({ held }) => held).toSorted();
}

/** The same, as the table in the code has it. */
function granted(role: DatabaseRole): string[] {
  const held = [tables, formerRights.tables].flatMap((each) =>
    Object.entries(each).flatMap(([table, grants]) => verbsOf(grants[role] ?? '').map((verb) => `${table} ${verb}`)),
  );
  return [...new Set(held)].toSorted();
}

test.each(processRoles)('the %s has exactly the rights on tables, columns and functions that the table in the code says', async (role) => {
  expect(granted(role).length).toBeGreaterThan(20);
  expect(await privileges(role)).toEqual(granted(role));
  const callable = await world.rows<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p where pronamespace = 'public'::regnamespace and has_function_privilege($1, p.oid, 'execute')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    [names[role]],
  );
  const plain = (name: string) => name.replaceAll(' with time zone', '').replaceAll('timestamptz', 'timestamp').replaceAll(', ', ',');
  const mayCall = [functions, formerRights.functions]
    .flatMap((each) => Object.entries(each))
    .flatMap(([name, roles]) => (roles.includes(role) ? [plain(name)] : []));
  expect(callable.map(({ name }) => plain(name)).toSorted()).toEqual(mayCall.toSorted());
  expect(
    await world.rows(
      `select has_schema_privilege($1, 'public', 'create') as creates, has_database_privilege($1, current_database(), 'create') as "makesSchemas",
              has_schema_privilege($1, 'graphile_worker', 'usage') as queues, r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolbypassrls,
              exists (select from pg_auth_members where member = r.oid) as member
         from pg_roles r where rolname = $1`,
      [names[role]],
    ),
  ).toEqual([
    {
      creates: false,
      makesSchemas: false,
      queues: queue.roles.some((each) => each === role),
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
      member: false,
    },
  ]);
});

test('nobody who is none of them can do anything, and every rule for rows is in force', async () => {
  const open = await world.rows(
    `select c.relname as name from pg_class c, aclexplode(c.relacl) a where c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and a.grantee = 0
     union all select p.proname from pg_proc p left join pg_depend d on d.objid = p.oid and d.deptype = 'e', aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where p.pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and d.objid is null and a.grantee = 0`,
  );
  expect(open).toEqual([]);
  const protectedTables = await world.rows<{ name: string; policies: number }>(
    `select c.relname as name, (select count(*)::int from pg_policy where polrelid = c.oid) as policies from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relrowsecurity order by 1`,
  );
  const expected = Object.entries(rowRules).map(([name, rules]) => ({ name, policies: 2 * Object.keys(rules).length }));
  expect(protectedTables).toEqual(expected.toSorted((one, other) => one.name.localeCompare(other.name)));
});

test('functions that run with the owner’s rights find nothing but the service’s own tables', async () => {
  const found = await world.rows<{ name: string; path: string[] | null }>(
    `select proname as name, proconfig as path from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by 1`,
  );
  expect(found.length).toBeGreaterThan(5);
  for (const { name, path } of found)
    expect([name, path?.[0]]).toEqual([name, expect.stringMatching(/^search_path=(pg_catalog, )?public, pg_temp$/)]);
});

/** Written by hand, whatever the table in the code says: `role table verb`, where a bare table means that nothing at all may be done with it. */
const mustNots: Readonly<Record<DatabaseRole, readonly string[]>> = {
  portal: [
    'audit_entry update',
    'audit_entry delete',
    'audit_entry truncate',
    'account_reset update(proof)',
    'account_reset update(requested_by)',
    'account_reset delete',
    'review_evidence insert',
    'review_evidence update',
    'review_evidence delete',
    'certificate_authority select(wrapped_key)',
    'certificate_authority insert',
    'certificate_authority update',
    'webhook_signing_key select(wrapped_key)',
    'webhook_signing_key insert',
    'webhook_signing_key update',
    'issuing_authority_request',
    'connection insert',
    'request_log insert',
  ],
  workers: [
    'audit_entry update',
    'audit_entry delete',
    'review_evidence',
    'passkey',
    'portal_session',
    'recovery_code',
    'used_challenge',
    'service_token',
    'issuing_authority_request',
    'operator insert',
    'operator update',
    'operator select(user_handle)',
    'certificate insert',
    'link_code insert',
    'service_gate update',
    'quota_override insert',
    'quota_override update',
  ],
  machine_api: [
    'passkey',
    'portal_session',
    'recovery_code',
    'used_challenge',
    'verification_link',
    'email_change',
    'attempt_window',
    'operator',
    'service_token',
    'mail',
    'development_mail',
    'p12_package',
    'issuing_authority_request',
    'webhook_signing_key',
    'webhook_endpoint',
    'link_code',
    'link_code_resource',
    'webhook_event',
    'webhook_delivery',
    'review_evidence',
    'terms_acceptance',
    'profile_version',
    'logo',
    'audit_entry',
    'request_log update',
    'request_log delete',
    'certificate insert',
    'certificate update',
    'certificate delete',
    'certificate_authority select(wrapped_key)',
    'certificate_authority update',
    'connection insert',
    'connection update',
    'connection select(user_ref)',
    'shared_resource insert',
    'shared_resource update',
    'client insert',
    'client update',
    'client_feed update',
    'integration insert',
    'integration update',
    'service_gate update',
    'quota_override insert',
    'quota_override update',
    'client_quota insert',
    'client_quota delete',
    'client_quota update(client_number)',
    'tracked_resource insert',
    'tracked_resource update',
    'tracked_resource select(user_ref)',
    'tracked_resource select(source_key)',
    'tracked_change insert',
    'statistics_generation insert',
    'statistics_generation select(basis)',
    'key_ring_entry update',
    'key_ring_entry delete',
    'revocation insert',
    'revocation delete',
    'revocation update',
    'migration insert',
  ],
};

test.each(processRoles)('the %s has none of the rights that it must never have', async (role) => {
  const held = await privileges(role);
  const forbidden = mustNots[role].flatMap((mustNot) => {
    const [table = '', verb, column] = mustNot.split(/[ ()]+/);
    return held.filter((each) => {
      const [heldTable, heldVerb, heldColumn] = each.split(/[ ()]+/);
      if (heldTable !== table || (verb !== undefined && heldVerb !== verb)) return false;
      return column === undefined || column === '' || !heldColumn || heldColumn === column;
    });
  });
  expect(forbidden).toEqual([]);
});

test.each(processRoles)('%s cannot fill the disk with large objects', async (role) => {
  for (const call of ['lo_create(0)', 'lo_creat(-1)', "lo_from_bytea(0, 'x')"])
    await expect(as[role].query(`select ${call}`)).rejects.toMatchObject({ code: '42501' });
});

test('a table that nobody has thought of stops the migration with its name, and so does a line without a table', async () => {
  await as.owner.query('create table forgotten (id text)');
  try {
    await expect(applyGrants(as.owner)).rejects.toThrow('does not say who may use forgotten');
  } finally {
    await as.owner.query('drop table forgotten');
  }
});

test('whatever was granted by hand is taken back, also from everybody, and applying the table twice changes nothing', async () => {
  await as.owner.query(`grant all on passkey, portal_session to ${names.machine_api}; grant select on operator to public;
    grant select(wrapped_key) on certificate_authority to ${names.portal}; grant execute on function forget_addresses(text) to public`);
  await applyGrants(as.owner);
  await applyGrants(as.owner);
  for (const role of processRoles) expect(await privileges(role)).toEqual(granted(role));
  expect(
    await world.rows(`select 1 from pg_proc where proname = 'forget_addresses' and has_function_privilege($1, oid, 'execute')`, [
      names.workers,
    ]),
  ).toEqual([]);
});

test('the release before keeps what only it needs until the next one has been cut', async () => {
  const former = {
    tables: { logo: { workers: 'select' } },
    functions: { 'forget_addresses(text)': ['workers'] },
    rows: { request_log: { machine_api: { see: 'status = 200', add: 'false' } } },
  } as const;
  const held = async () =>
    (
      await world.rows<object>(
        `select has_table_privilege($1, 'logo', 'select') as reads, has_function_privilege($1, 'forget_addresses(text)', 'execute') as calls,
              (select count(*)::int from pg_policy where polname in ($2 || '_saw', $2 || '_added')) as rules`,
        [names.workers, names.machine_api],
      )
    )[0];
  await applyGrants(as.owner, { former });
  expect(await held()).toEqual({ reads: true, calls: true, rules: 2 });
  await applyGrants(as.owner);
  expect(await held()).toEqual({ reads: false, calls: false, rules: 0 });
});

test('what a role has set for itself in all databases is gone after the next migration', async () => {
  // It reaches the sessions that other test files begin meanwhile, so it is nothing that they would notice.
  await as.machine_api.query(`alter role ${names.machine_api} set work_mem = '4097kB'`);
  await applyGrants(as.owner);
  expect(await world.rows('select rolconfig from pg_roles where rolname = $1', [names.machine_api])).toEqual([{ rolconfig: null }]);
});

test.each(processRoles)('the sessions of the %s begin with its settings', async (role) => {
  for (const [name, value] of Object.entries(roleSettings[role])) {
    const found = await as[role].query<{ same: boolean }>(
      `select (case when unit = 'ms' then setting = $2 else current_setting(name) = $2 end) as same from pg_settings where lower(name) = lower($1)`,
      [name, String(value)],
    );
    expect([name, found.rows]).toEqual([name, [{ same: true }]]);
  }
});

test('the owner and superusers are the wrong role for a process, and so is another process’s', async () => {
  const config = { production: true, databaseRolePrefix: undefined };
  const started = (url: string) => checkRole(url, 'portal', { config, logger: createLogger('start', 'silent') });
  await started(world.urls.portal);
  await expect(started(world.databaseUrl)).rejects.toThrow(', to whom nothing is forbidden');
  await expect(started(world.urls.owner)).rejects.toThrow('oi_owner, who owns the tables');
  await expect(started(world.urls.workers)).rejects.toThrow('connects as oi_portal');
});

test('a process does not start with a role of its own that may also do what an administrator has given it', async () => {
  const url = new URL(world.urls.portal);
  [url.username, url.password] = ['more_portal', 'more'];
  const config = { production: true, databaseRolePrefix: 'more' };
  try {
    await world.rows("create role more_portal login password 'more'");
    await world.rows(`grant connect on database ${url.pathname.slice(1)} to more_portal`);
    await expect(checkRole(url.href, 'portal', { config, logger: createLogger('start', 'silent') })).rejects.toThrow(
      'connects as more_portal, whose sessions lack settings that this process relies on: idle_in_transaction_session_timeout, lock_timeout, random_page_cost, statement_timeout. Run the migrate command',
    );
    for (const [name, value] of Object.entries(roleSettings.portal)) await world.rows(`alter role more_portal set ${name} = '${value}'`);
    await checkRole(url.href, 'portal', { config, logger: createLogger('start', 'silent') });
    await world.rows('alter role more_portal bypassrls createdb');
    await world.rows('grant pg_read_all_data to more_portal');
    await expect(checkRole(url.href, 'portal', { config, logger: createLogger('start', 'silent') })).rejects.toThrow(
      'connects as more_portal, who is bypassrls, createdb, a member of pg_read_all_data.',
    );
  } finally {
    await world.rows('drop owned by more_portal');
    await world.rows('drop role more_portal');
  }
});

test('the machine API sees the keys that it uses and no other, with the master key in hand', async () => {
  const seen = await as.machine_api.query<{ purpose: string }>('select distinct purpose from key_ring_entry order by 1');
  expect(seen.rows.map(({ purpose }) => purpose)).toEqual(['cursor', 'lookup']);
  const ring = await loadKeyRing({ databaseUrl: world.urls.machineApi, masterKeys, clock: world.clock, use: 'machine-api-keys' });
  expect(ring.keys.cursor.current).toEqual(world.keyRing.cursor.current);
  expect(() => ring.keys.session.current).toThrow('has no key for session');
  await expect(loadKeyRing({ databaseUrl: world.urls.machineApi, masterKeys, clock: world.clock })).rejects.toThrow('row-level security');
  const entry = (purpose: string, retiredAt: Date | null) =>
    as.machine_api.query('insert into key_ring_entry (id, purpose, wrapped, created_at, retired_at) values ($1, $2, $3, now(), $4)', [
      `key_${randomBytes(6).toString('hex')}`,
      purpose,
      Buffer.alloc(40),
      retiredAt,
    ]);
  for (const purpose of ['session', 'verification_link', 'anything'])
    await expect(entry(purpose, null)).rejects.toThrow('row-level security');
  // A key before the first one would name users again.
  await expect(entry('lookup', new Date(0))).rejects.toThrow('row-level security');
});

test('the portal cannot take the addresses of an operator who can still sign in out of the trail', async () => {
  await world.rows(
    `with person as (insert into operator (id, email, email_key, user_handle, created_at)
       values ('opr_living', 'living@example.com', 'living@example.com', '\\x01', now()) returning id)
     insert into passkey (id, operator_id, name, public_key, counter, transports, device_type, backed_up, aaguid, created_at)
     select 'pk_living', id, 'Laptop', '\\x01', 0, '{}', 'singleDevice', false, '', now() from person`,
  );
  await as.portal.query('begin');
  await as.portal.query(
    `update operator set email = null, email_key = null, user_handle = null, deleted_at = now() where id = 'opr_living'`,
  );
  await expect(as.portal.query(`select forget_addresses('opr_living')`)).rejects.toMatchObject({ code: '42501' });
  await as.portal.query('rollback');
});
