import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { lockOwnClient } from '../client/lockOwnClient.ts';
import { enqueue } from '../jobs.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { refuseRetired } from './ownSandbox.ts';
import { requestSandboxCorpus } from './requestSandboxCorpus.ts';
import { corpusState, SandboxCorpus } from './SandboxCorpus.ts';

const hour = 3_600_000;

/**
 * Asks for a new corpus in the place of the sandbox's present one and all that was shared in it. The present one stays until the new
 * one is whole. Errors: not_found, conflict (retired; one is under way), rate_limit_exceeded (6 an hour).
 */
export function regenerateSandboxCorpus(
  em: EntityManager,
  { actor, clientId, now }: { actor: OperatorActor; clientId: string; now: Date },
): Promise<SandboxCorpus> {
  return em.transactional(async (tx) => {
    const client = await lockOwnClient(tx, actor, clientId);
    if (client.environment !== 'sandbox') throw new DomainError('not_found', { detail: 'There is no such sandbox client.' });
    refuseRetired(client);
    await refuseTooMany(tx, client.no, now);
    const corpus = await requestSandboxCorpus(tx, client.no, now);
    await tx.flush();
    await enqueue(tx, 'buildSandboxCorpus', { clientNo: client.no, generation: corpus.generation });
    await record(tx, actor, now, {
      action: 'sandbox_corpus.requested',
      subject: { type: 'client', id: client.id },
      integrationId: client.integrationId,
      details: { generation: corpus.generation },
    });
    return corpus;
  });
}

/** The client's row is locked, so that two requests of one moment count each other. */
async function refuseTooMany(tx: EntityManager, clientNo: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - hour);
  const recent = await tx.find(
    SandboxCorpus,
    { clientNo },
    { orderBy: { generation: 'desc' }, limit: limits.corpusRequestsPerHour, disableIdentityMap: true },
  );
  const [last] = recent;
  if (last && ['queued', 'building'].includes(corpusState(last))) {
    throw new DomainError('conflict', { detail: 'New synthetic data are already being made. Wait until they are ready.' });
  }
  const oldest = recent.at(-1);
  if (!oldest || recent.length < limits.corpusRequestsPerHour || oldest.requestedAt <= since) return;
  throw new DomainError('rate_limit_exceeded', {
    detail: `Synthetic data can be made ${limits.corpusRequestsPerHour} times an hour.`,
    retryAfterSeconds: Math.ceil((oldest.requestedAt.getTime() - since.getTime()) / 1000),
  });
}
