import type { EntityManager } from '@mikro-orm/postgresql';
import { SandboxCorpus } from '../SandboxCorpus.ts';

/** Records that a corpus could not be built, after the last attempt; one that is ready stays ready. */
export async function failSandboxCorpus(
  em: EntityManager,
  { clientNo, generation, now }: { clientNo: number; generation: number; now: Date },
): Promise<void> {
  await em.nativeUpdate(SandboxCorpus, { clientNo, generation, readyAt: null }, { failedAt: now });
}
