import { generateKeyPairSync } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../writeAtomically.ts';

/** The key of the account at the authority, made at the first start. Throws as the file system does, also if nothing can be written beside it. */
export async function accountKeyIn(dir: string): Promise<string> {
  const file = join(dir, 'account.key');
  // If there is none afterwards, the next line says so.
  await mkdir(dir, { recursive: true, mode: 0o700 }).catch(() => undefined);
  // Otherwise a certificate would be ordered that cannot be kept.
  await access(dir, constants.W_OK | constants.X_OK);
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (stored !== undefined) return stored;
  const made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  await writeAtomically(file, made, 0o600);
  return made;
}
