import { randomBytes } from 'node:crypto';
import { open, rename } from 'node:fs/promises';

/** Writes a file so that a crash leaves either the old one or the new one, and a reader never sees half of it. */
export async function writeAtomically(path: string, content: string, mode: number): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  const file = await open(temporary, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
