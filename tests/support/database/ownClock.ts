import { readFile } from 'node:fs/promises';
import { runOn } from '../run/testDatabase.ts';

const functionsFile = new URL('../../../migrations/baseline/19-functions-of-the-owner.sql', import.meta.url);

/** The functions that run with the owner's rights, as they are made. */
export const functionsOfTheOwner = (): Promise<string> => readFile(functionsFile, 'utf8');

/** From now on this database believes its own clock, as in production, and no longer the one that tests inject. */
export async function believeOwnClock(databaseUrl: string): Promise<void> {
  const [, made] = /create (function present_moment[^]*?\n\$\$;)/.exec(await functionsOfTheOwner()) ?? [];
  if (made === undefined) throw new Error('There is no present_moment.');
  await runOn(databaseUrl, `create or replace ${made}`);
}
