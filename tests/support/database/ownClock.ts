import { readFile } from 'node:fs/promises';
import { functions } from '../../../server/database/migration/functions.ts';
import { runOn } from '../run/testDatabase.ts';

const clientsFile = new URL('../../../migrations/baseline/07-client.sql', import.meta.url);

const partitionsFile = new URL('../../../migrations/baseline/18-partitions.sql', import.meta.url);

/** From now on this database believes its own clock, as in production, and no longer the one that tests inject. */
export async function believeOwnClock(databaseUrl: string): Promise<void> {
  const files = (await Promise.all([readFile(partitionsFile, 'utf8'), readFile(clientsFile, 'utf8')])).join('');
  for (const name of ['near_moment', 'refuse_late']) {
    const [, made] = new RegExp(`create (function ${name}\\([^]*?\\n\\$\\$;)`).exec(files) ?? [];
    if (made === undefined) throw new Error(`There is no ${name}.`);
    await runOn(databaseUrl, `create or replace ${made}`);
  }
  await runOn(databaseUrl, functions.join('\n'));
}
