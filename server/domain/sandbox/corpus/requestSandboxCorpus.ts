import type { EntityManager } from '@mikro-orm/postgresql';
import { SandboxCorpus } from '../SandboxCorpus.ts';

/** Requests the next generation of a client's corpus, in the caller's transaction. The caller queues the job. */
export async function requestSandboxCorpus(tx: EntityManager, clientNumber: number, now: Date): Promise<SandboxCorpus> {
  const last = await tx.findOne(SandboxCorpus, { clientNumber }, { orderBy: { generation: 'desc' } });
  const corpus = tx.create(SandboxCorpus, {
    clientNumber,
    generation: (last?.generation ?? 0) + 1,
    requestedAt: now,
    startedAt: null,
    readyAt: null,
    failedAt: null,
  });
  tx.persist(corpus);
  return corpus;
}
