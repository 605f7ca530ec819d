import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Context } from './context.ts';
import { pathOf } from './settings.ts';

/** Copies the vectors that come with the package. */
export async function copyVectors(context: Context): Promise<void> {
  const folder = context.word(0, 'The folder');
  await cp(fileURLToPath(new URL('../../vectors', import.meta.url)), pathOf(context.folder, folder), { recursive: true, force: false, errorOnExist: true });
  context.print({ folder }, `deliveries.json and syncs.json are in ${folder}.`);
}
