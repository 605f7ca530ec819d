import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../writeAtomically.ts';
import type { AcmePlan } from './AcmePlan.ts';
import { parsedJson } from './parsedJson.ts';

const record = z.object({
  for: z.string(),
  failures: z.number().int().positive(),
  /** There is no other attempt before. */
  notBefore: z.iso.datetime().transform((text) => new Date(text)),
  words: z.string(),
  remedy: z.string(),
});
export type LastFailure = Omit<z.infer<typeof record>, 'for'>;
type Place = Pick<AcmePlan, 'dir' | 'server' | 'names'>;

/** A file, so that a restart does not ask again what an authority has just refused. Without it, the next start asks at once. */
export const failureFile = ({ dir }: Pick<AcmePlan, 'dir'>): string => join(dir, 'last-failure.json');
/** Another authority, or other names, begin without failures. */
const purposeOf = ({ server, names }: Place): string => [server, ...names.keys()].join(' ');

/** The last attempt to get this certificate from this authority, if it failed. A file that is damaged says nothing. */
export async function lastFailure(plan: Place): Promise<LastFailure | undefined> {
  const text = await readFile(failureFile(plan), 'utf8').catch(() => '');
  const { data } = record.safeParse(parsedJson(text));
  return data?.for === purposeOf(plan) ? data : undefined;
}

export async function noteFailure(plan: Place, failed: LastFailure): Promise<void> {
  await writeAtomically(failureFile(plan), `${JSON.stringify({ for: purposeOf(plan), ...failed })}\n`, 0o600);
}

export async function forgetFailure(plan: Place): Promise<void> {
  await rm(failureFile(plan), { force: true });
}
