import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

// Operators' pages name the hash of these bytes, so that not even a comment in the file ever changes.
const source = new URL('../assets/svc-data-credit-v1.js', import.meta.url);

/** The badge's script, with the value by which an operator's page verifies that it has not changed (Subresource Integrity). */
export type CreditBadge = { readonly script: Buffer; readonly integrity: string };

/** Reads the badge's script, once per process. */
export async function readCreditBadge(): Promise<CreditBadge> {
  const script = await readFile(source);
  return { script, integrity: `sha384-${createHash('sha384').update(script).digest('base64')}` };
}
