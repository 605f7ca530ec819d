import type pg from 'pg';
import type postgres from 'postgres';
import type { ConnectionName } from './connectionUses.ts';
import { databaseAddressOf } from './databaseAddress.ts';

type PostgresJsOptions = postgres.Options<Record<string, never>>;

/** The options of each client library, which all lead to the same server in the same way. */
export type Connection = {
  readonly forPg: () => pg.ClientConfig;
  readonly forPostgresJs: () => PostgresJsOptions;
};

/** A server that vanishes without a word is noticed even while nothing is sent. */
const keepAliveSeconds = 60;

/**
 * What a database URL asks for, as options of `pg` and of `postgres`. The start-up message carries user, database and application_name,
 * and the encoding that both libraries name, because a pooler refuses everything else. Throws `DatabaseUrlError`.
 */
export function connectionOf(databaseUrl: string, { name }: { readonly name: ConnectionName }): Connection {
  const { host, port, user, password, database, tls } = databaseAddressOf(databaseUrl);
  // As text, it would be split at commas and colons, as in an IPv6 address. Its types do not know lists.
  const hostAndPort: unknown = { host: [host], port: [port] };
  return {
    forPg: () => ({
      host,
      port,
      user,
      database,
      ...(password !== undefined && { password }),
      ssl: tls && { ...tls },
      application_name: name,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveSeconds * 1_000,
    }),
    forPostgresJs: () => ({
      ...(hostAndPort as Pick<PostgresJsOptions, 'host' | 'port'>),
      ...(host.startsWith('/') && { path: `${host}/.s.PGSQL.${port}` }),
      user,
      database,
      password: password ?? '',
      ssl: tls && { ...tls },
      connection: { application_name: name },
      keep_alive: keepAliveSeconds,
    }),
  };
}
