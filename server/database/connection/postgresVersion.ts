import type pg from 'pg';

/** The oldest PostgreSQL on which the service runs; the database's tests run on it as on the newest (`npm run test:versions`). */
export const oldestPostgres = 15;

/** Which PostgreSQL a session is on: its major and its minor version. */
export async function postgresVersion(client: pg.ClientBase): Promise<{ readonly major: number; readonly minor: number }> {
  const { rows } = await client.query<{ number: number }>("select current_setting('server_version_num')::int as number");
  const number = rows[0]?.number;
  if (number === undefined) throw new Error('PostgreSQL has not told its version.');
  return { major: Math.trunc(number / 10_000), minor: number % 10_000 };
}
