import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../shared/environment.ts';
import { sql } from '../shared/sql.ts';

type KeyOwner = { readonly number: number; readonly environment: Environment };

const namesSql = `
select next_key_name(u.number, u.environment, $3::timestamptz) as name from unnest($1::int[], $2::text[]) with ordinality u(number, environment, n) order by u.n`;

/** The file names of each client's next key (`next_key_name`). */
export async function nextKeyNames(em: EntityManager, clients: readonly KeyOwner[], now: Date): Promise<string[]> {
  const parameters = [clients.map(({ number }) => number), clients.map(({ environment }) => environment), now];
  return (await sql<{ name: string }>(em, namesSql, parameters)).map(({ name }) => name);
}
