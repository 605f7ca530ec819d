import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import { keepSigningKeys as keep } from '../../server/domain/webhook/signing/signingKeys.ts';
import type { WorkerTask } from '../workerContext.ts';

export const keepSigningKeys: WorkerTask<JobPayloads['keepSigningKeys']> = (_payload, { em, authorityKeys, clock }) =>
  keep(em, { wrapping: authorityKeys, now: clock.now() });
