import type pg from 'pg';
import type { ConnectionName } from './connectionUses.ts';
import { databaseAddressOf } from './databaseAddress.ts';

/** A server that vanishes without a word is noticed even while nothing is sent. */
const keepAliveMs = 60_000;

/**
 * What a database URL asks for, as options of `pg`. The start-up message carries user, database and application_name, and the encoding, because a
 * pooler refuses everything else. Throws `DatabaseUrlError`.
 */
export function connectionOf(databaseUrl: string, { name }: { readonly name: ConnectionName }): pg.ClientConfig {
  const { host, port, user, password, database, tls } = databaseAddressOf(databaseUrl);
  return {
    host,
    port,
    user,
    database,
    ...(password !== undefined && { password }),
    ssl: tls && { ...tls },
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
}
