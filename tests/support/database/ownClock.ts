import { readFile } from 'node:fs/promises';
import { runOn } from '../run/testDatabase.ts';

const functionsFile = new URL('../../../migrations/baseline/19-functions-of-the-owner.sql', import.meta.url);

const clientsFile = new URL('../../../migrations/baseline/07-client.sql', import.meta.url);

const partitionsFile = new URL('../../../migrations/baseline/18-partitions.sql', import.meta.url);

/** The functions that run with the owner's rights, as they are made. */
export const functionsOfTheOwner = (): Promise<string> => readFile(functionsFile, 'utf8');

/** From now on this database believes its own clock, as in production, and no longer the one that tests inject. */
export async function believeOwnClock(databaseUrl: string): Promise<void> {
  const functions = (await Promise.all([functionsOfTheOwner(), readFile(partitionsFile, 'utf8'), readFile(clientsFile, 'utf8')])).join('');
  for (const name of ['present_moment', 'is_recent', 'ended_moment', 'near_moment', 'refuse_late']) {
    const [, made] = new RegExp(`create (function ${name}\\([^]*?\\n\\$\\$;)`).exec(functions) ?? [];
    if (made === undefined) throw new Error(`There is no ${name}.`);
    await runOn(databaseUrl, `create or replace ${made}`);
  }
}
