import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../shared/environment.ts';
import { sql } from '../shared/sql.ts';

type KeyOwner = { readonly no: number; readonly environment: Environment };

/** By index certificate_client. A client has few certificates in a month. */
const namesSql = `
  select client_no, key_name from certificate
   where client_no = any($1::int[]) and status <> 'failed' and key_name like '%-' || $2::text || '%'`;

/**
 * The file names, without endings, of each client's next key, its request and its certificate: `sandbox-2026-11`, or `sandbox-2026-11-2` if
 * the month (UTC) already has one, so that a new key never overwrites one in use. A failed issuance leaves its name free, as it does its
 * key.
 */
export async function nextKeyNames(em: EntityManager, clients: readonly KeyOwner[], now: Date): Promise<string[]> {
  const month = now.toISOString().slice(0, 7);
  const rows = await sql<{ client_no: number; key_name: string }>(em, namesSql, [clients.map(({ no }) => no), month]);
  return clients.map(({ no, environment }) => {
    const taken = new Set(rows.filter((row) => row.client_no === no).map((row) => row.key_name));
    const first = `${environment}-${month}`;
    let name = first;
    for (let turn = 2; taken.has(name); turn += 1) name = `${first}-${turn}`;
    return name;
  });
}
