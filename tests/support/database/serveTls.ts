import type pg from 'pg';

/** Has PostgreSQL write a file, which is then its own. */
export async function writeOnServer(server: pg.Client, path: string, text: string): Promise<void> {
  const lines = `string_to_array(${server.escapeLiteral(text)}, ${server.escapeLiteral('\n')})`;
  await server.query(`copy (select unnest(${lines})) to program ${server.escapeLiteral(`umask 077; cat > '${path}'`)}`);
}

export async function settingOf(server: pg.Client, name: string): Promise<string> {
  return (await server.query<{ value: string }>('select current_setting($1) as value', [name])).rows[0]?.value ?? '';
}

/** Has PostgreSQL encrypt with these files, which take effect a moment later. `ssl_ca_file` are the authorities of clients. */
export async function serveTls(
  server: pg.Client,
  files: { readonly ssl_cert_file: string; readonly ssl_key_file: string; readonly ssl_ca_file?: string },
): Promise<void> {
  const data = await settingOf(server, 'data_directory');
  for (const [setting, text] of Object.entries(files)) {
    await writeOnServer(server, `${data}/${setting}.pem`, text);
    await server.query(`alter system set ${setting} = '${data}/${setting}.pem'`);
  }
  await server.query('alter system set ssl = on');
  await server.query('select pg_reload_conf()');
}
