import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { limits } from '../../shared/limits.ts';
import { secondsUntil } from '../../shared/secondsUntil.ts';
import { SandboxCorpus } from '../SandboxCorpus.ts';

const hour = 3_600_000;

/**
 * Throws `rate_limit_exceeded` if a sandbox has been filled 6 times within the hour. The client's row is locked, so that two requests at
 * the same moment count each other. Returns the corpus that was requested last.
 */
export async function refuseTooManyCorpora(tx: EntityManager, clientNumber: number, now: Date): Promise<SandboxCorpus | null> {
  const since = new Date(now.getTime() - hour);
  const recent = await tx.find(
    SandboxCorpus,
    { clientNumber },
    { orderBy: { generation: 'desc' }, limit: limits.corpusRequestsPerHour, disableIdentityMap: true },
  );
  const oldest = recent.at(-1);
  if (!oldest || recent.length < limits.corpusRequestsPerHour || oldest.requestedAt <= since) return recent[0] ?? null;
  throw new DomainError('rate_limit_exceeded', {
    detail: `Test data can be regenerated at most ${limits.corpusRequestsPerHour} times an hour.`,
    retryAfterSeconds: secondsUntil(oldest.requestedAt, since),
  });
}
