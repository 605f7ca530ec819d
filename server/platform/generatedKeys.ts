import { randomBytes } from 'node:crypto';
import { access, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

type Name = 'master' | 'signing';

/** Whether such a key has been generated in this data folder. */
export async function existingKey(dataDir: string, name: Name): Promise<boolean> {
  return access(pathOf(dataDir, name)).then(
    () => true,
    () => false,
  );
}

/**
 * A 32-byte key in `<dataDir>/keys/<name>.key` (hexadecimal, 0600), made at the first start. Two processes that start together agree on
 * one.
 */
export async function generatedKey(dataDir: string, name: Name): Promise<Buffer> {
  const path = pathOf(dataDir, name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    // A link appears complete or not at all, and never replaces an existing key.
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const text = (await readFile(path, 'utf8')).trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} does not contain exactly 64 hexadecimal digits.`);
  return Buffer.from(text, 'hex');
}

function pathOf(dataDir: string, name: Name): string {
  return join(dataDir, 'keys', `${name}.key`);
}
