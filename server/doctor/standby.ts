import { openClient } from '../database/connection/openPool.ts';
import { checkRole } from '../database/roles/checkRole.ts';
import { unavailable } from '../database/unavailable.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { createLogger } from '../platform/logger.ts';
import { warning, wrongBy, type Look, type Place } from './finding.ts';

/** Whether reads can be left to the standby. While they cannot, the primary answers them; only with a role that is refused a portal does not start. */
export async function examineStandby({ config }: { readonly config: StandbyConfig }): Promise<Look> {
  const { standbyDatabaseUrl: url } = config;
  if (url === undefined) return [];
  try {
    await checkRole(url, 'portal', { config, logger: createLogger('doctor', 'silent'), variable: 'STANDBY_DATABASE_URL' });
    const client = await openClient(url, 'start-check');
    try {
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
      if (rows[0]?.standby) return [];
    } finally {
      await client.end();
    }
    return [
      warning('STANDBY_DATABASE_URL: leads to a server that is no standby, and is never asked', 'Lead it to a standby, or unset it.'),
    ];
  } catch (error) {
    if (!(unavailable(error) instanceof DomainError))
      return [wrongBy(error, 'Lead it to a standby of the database that DATABASE_URL leads to.')];
    return [
      warning(
        'STANDBY_DATABASE_URL: the server cannot be reached, so the primary answers what it would',
        'See that PostgreSQL runs there and lets this machine in (pg_hba.conf, firewall), or unset it.',
      ),
    ];
  }
}

type StandbyConfig = Pick<Place['config'], 'standbyDatabaseUrl' | 'production' | 'databaseRolePrefix'>;
