type Database = { rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> };

/** The tables that contain the text in any column of any row, as text or as bytes. */
export async function tablesHolding(database: Database, text: string): Promise<string[]> {
  const tables = await database.rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const hex = Buffer.from(text).toString('hex');
    const [row] = await database.rows<{ held: boolean }>(
      `select exists (select 1 from ${name} t where position($1 in t::text) > 0 or position($2 in t::text) > 0) as held`,
      [text, hex],
    );
    if (row?.held) holding.push(name);
  }
  return holding;
}
