import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import { lockOwnClient } from '../../client/lockOwnClient.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { enqueue } from '../../shared/jobs.ts';
import { isUnderWay } from '../corpusStatus.ts';
import { refuseRetired } from '../ownSandbox.ts';
import type { SandboxCorpus } from '../SandboxCorpus.ts';
import { refuseTooManyCorpora } from './refuseTooManyCorpora.ts';
import { requestSandboxCorpus } from './requestSandboxCorpus.ts';

/**
 * Requests a new corpus that replaces the sandbox's present one and everything that was shared in it. The present one stays until the new
 * one is complete. Errors: not_found, conflict (retired; one is being built), rate_limit_exceeded (6 an hour).
 */
export function regenerateSandboxCorpus(
  em: EntityManager,
  { actor, clientId, now }: { actor: OperatorActor; clientId: string; now: Date },
): Promise<SandboxCorpus> {
  return em.transactional(async (tx) => {
    const client = await lockOwnClient(tx, actor, clientId);
    if (client.environment !== 'sandbox') throw new DomainError('not_found', { detail: 'There is no such sandbox client.' });
    refuseRetired(client);
    const last = await refuseTooManyCorpora(tx, client.number, now);
    if (last && isUnderWay(last, now)) {
      throw new DomainError('conflict', { detail: 'New test data is already being generated. Wait until it is ready.' });
    }
    const corpus = await requestSandboxCorpus(tx, client.number, now);
    await tx.flush();
    await enqueue(tx, 'buildSandboxCorpus', { clientNumber: client.number, generation: corpus.generation });
    await record(tx, actor, now, {
      action: 'sandbox_corpus.requested',
      subject: { type: 'client', id: client.id },
      integrationId: client.integrationId,
      details: { generation: corpus.generation },
    });
    return corpus;
  });
}
