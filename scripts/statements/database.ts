import postgres from 'postgres';
import { type Catalogue, type Nullable, nullableColumns } from './nullability.ts';

/** What PostgreSQL says of a statement. */
export type Description = {
  /** The types of its parameters, by number. */
  readonly parameters: readonly number[];
  readonly columns: readonly { readonly name: string; readonly type: number; readonly nullable: Nullable }[];
};

export type Type = { readonly name: string; readonly category: string; readonly element: number };

/** A migrated database that describes statements. */
export type Database = {
  /** Throws what PostgreSQL finds wrong with it. */
  readonly describe: (text: string) => Promise<Description>;
  readonly types: ReadonlyMap<number, Type>;
  close(): Promise<void>;
};

export async function openDatabase(url: string): Promise<Database> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, fetch_types: false });
  const types = new Map<number, Type>();
  for (const row of await sql`select oid::int, format_type(oid, null) as name, typcategory as category, typelem::int as element from pg_type`) {
    types.set(row.oid, row as unknown as Type);
  }
  const catalogue = await readCatalogue(sql);
  return {
    types,
    describe: async (text) => {
      const { types: parameters, columns } = await sql.unsafe(text).describe();
      const described = columns as readonly { readonly name: string; readonly type: number }[];
      const nullable =
        described.length === 0
          ? []
          : await nullableIn(
              sql,
              text,
              parameters.map((type) => types.get(type)?.name ?? 'text'),
              catalogue,
            );
      return { parameters, columns: described.map(({ name, type }, at) => ({ name, type, nullable: nullable[at] })) };
    },
    close: () => sql.end(),
  };
}

async function readCatalogue(sql: postgres.Sql): Promise<Catalogue> {
  const [notNull, strict, aggregates] = await Promise.all([
    sql`select attrelid::int || '.' || attnum as key from pg_attribute where attnotnull and attnum > 0`,
    sql`select oid::int::text as key from pg_proc where proisstrict`,
    sql`select oid::int::text as key, proname as name from pg_proc where prokind = 'a'`,
  ]);
  return {
    notNull: new Set(notNull.map(({ key }) => String(key))),
    strict: new Set(strict.map(({ key }) => String(key))),
    aggregates: new Map(aggregates.map(({ key, name }) => [String(key), String(name)])),
  };
}

/** PostgreSQL keeps the parse tree of a function's body, and shows it. */
async function nullableIn(sql: postgres.Sql, text: string, parameters: readonly string[], catalogue: Catalogue): Promise<Nullable[]> {
  await sql.unsafe('begin').simple();
  try {
    const body = `begin atomic ${text.replace(/;\s*$/, '')}\n; end`;
    await sql.unsafe(`create function pg_temp.statement(${parameters.join(', ')}) returns setof record language sql ${body}`).simple();
    const [row] = await sql`select prosqlbody::text as tree from pg_proc where oid = 'pg_temp.statement'::regproc`;
    return nullableColumns(String(row?.tree), catalogue);
  } finally {
    await sql.unsafe('rollback').simple();
  }
}
