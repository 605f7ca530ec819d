import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A 32-byte key in `<dataDir>/keys/<name>.key` (hexadecimal, 0600), made at the first start. Two processes that start together agree on
 * one.
 */
export async function generatedKey(dataDir: string, name: 'master' | 'signing'): Promise<Buffer> {
  const folder = join(dataDir, 'keys');
  const path = join(folder, `${name}.key`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
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
