import { connectionsLeft } from '../database/checkConfiguredServer.ts';
import { budgetOf } from '../database/connection/connectionUses.ts';
import { databaseAddressOf, isThisMachine } from '../database/connection/databaseAddress.ts';
import { openClient } from '../database/connection/openPool.ts';
import { requireSchema } from '../database/migration/requireSchema.ts';
import { databaseState } from '../database/readiness.ts';
import { checkRole } from '../database/roles/checkRole.ts';
import type { Clock } from '../domain/shared/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { databaseUrlsOf, partsOf } from './databaseUrls.ts';
import { warning, wrong, wrongBy, type Finding, type Look, type Place } from './finding.ts';

const lookThere = 'See that PostgreSQL runs there and lets this machine in (pg_hba.conf, firewall), and that the URL leads to it.';
const readPage = 'docs/operating.md, “PostgreSQL”, says what the service needs.';

/** Whether the database can be reached in the way that the process needs, has its schema, and gives it the role that is its own. */
export async function examineDatabase(place: Place): Promise<Look> {
  const { config, role, clock } = place;
  const urls = await databaseUrlsOf(place);
  if ('skipped' in urls) return urls;
  const found: Finding[] = config.databaseUrl === undefined ? [] : encryption(config.databaseUrl);
  const silent = createLogger('doctor', 'silent');
  try {
    const left = await connectionsLeft(config.databaseUrl ?? urls.portal);
    const needed = partsOf(role).reduce((sum, part) => sum + budgetOf(part, config.databaseConnections), 0);
    if (config.databaseUrl !== undefined && needed > left)
      found.push(
        warning(
          `The server has ${left} connections left, and this process may need ${needed}`,
          'Raise max_connections if the process does not run now, or lower the DATABASE_…_CONNECTIONS.',
        ),
      );
  } catch (error) {
    return [...found, wrongBy(error, /cannot be reached/.test(String(error)) ? lookThere : readPage)];
  }
  found.push(...(await stateOf(config.databaseUrl ?? urls.portal, clock)));
  // It migrates by itself, and makes the roles.
  if (role === 'service' && config.databaseUrl !== undefined) return [...found, ...(await rightsOf(config.databaseUrl))];
  try {
    await requireSchema(urls.portal);
  } catch (error) {
    return [...found, wrongBy(error, 'Run `oi migrate`.')];
  }
  for (const part of partsOf(role)) {
    const url = { portal: urls.portal, machine_api: urls.machineApi, workers: urls.workers }[part];
    await checkRole(url, part, { config, logger: silent }).catch((error: unknown) => found.push(wrongBy(error, readPage)));
  }
  return found;
}

async function rightsOf(ownerUrl: string): Promise<Finding[]> {
  const client = await openClient(ownerUrl, 'start-check');
  try {
    const { rows } = await client.query<{ may: boolean | null }>(
      "select (rolcreaterole or rolsuper) and has_database_privilege(current_database(), 'create') as may from pg_roles where rolname = current_user",
    );
    if (rows[0]?.may) return [];
    return [
      wrong(
        'DATABASE_URL: its role may not make what the service needs',
        'Have an administrator run: alter role … createrole; alter database … owner to …;',
      ),
    ];
  } finally {
    await client.end();
  }
}

function encryption(url: string): Finding[] {
  const { host, tls } = databaseAddressOf(url);
  if (host.startsWith('/') || isThisMachine(host)) return [];
  const better = 'Write sslmode=verify-full&sslrootcert=FILE, with the file of the authority that issued the server’s certificate.';
  if (tls === false) return [warning('DATABASE_URL: passwords and data travel to another machine in plain text', better)];
  return tls.rejectUnauthorized === false ? [warning('DATABASE_URL: the server proves nothing, so it may be anybody', better)] : [];
}

async function stateOf(url: string, clock: Clock): Promise<Finding[]> {
  const client = await openClient(url, 'start-check');
  try {
    const state = await databaseState(async <Row>(text: string) => (await client.query(text)).rows as Row[], clock);
    if (state === 'clock_differs')
      return [
        wrong(
          'The clocks of this machine and of the database’s server are more than a second apart',
          'Keep both by NTP (`timedatectl set-ntp true`); until then the service is not ready.',
        ),
      ];
    if (state === 'read_only')
      return [wrong('The database cannot be written: the URL leads to a standby, or it is read-only', 'Lead the URL to the primary.')];
    return [];
  } finally {
    await client.end();
  }
}
