import pg from 'pg';

/** A client that asks for certificates, with its owner. */
export type RequestingClient = { readonly id: string; readonly operatorId: string };

const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
const statements = [
  `insert into operator (id, email, email_key, user_handle, created_at)
   select ${id('opr')}, n || '@example.com', n || '@example.com', sha256(n::text::bytea), now() from generate_series(1, $1::int) n`,
  `insert into integration (id, operator_id, slug, status, profile_version, created_at)
   select ${id('int')}, ${id('opr')}, 'issuing-' || n, 'sandbox', 1, now() from generate_series(1, $1::int) n`,
  `insert into client (id, integration_id, environment, scopes, created_at)
   select ${id('cli')}, ${id('int')}, 'sandbox', '{orders.read}', now() from generate_series(1, $1::int) n`,
];

/** Makes this many clients, each of an integration and operator of its own. Profiles and feeds play no part in issuing and are left out. */
export async function createRequestingClients(databaseUrl: string, count: number): Promise<RequestingClient[]> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    await db.query('set session_replication_role = replica');
    for (const statement of statements) await db.query(statement, [count]);
    await db.query('vacuum analyze operator, integration, client');
    const numbers = Array.from({ length: count }, (_, index) => String(index + 1).padStart(26, '0'));
    return numbers.map((number) => ({ id: `cli_${number}`, operatorId: `opr_${number}` }));
  } finally {
    await db.end();
  }
}
