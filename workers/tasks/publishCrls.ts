import { publishCrls as publish } from '../../server/domain/certificate/crl/publication/publishCrls.ts';
import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import type { WorkerTask } from '../workerContext.ts';

export const publishCrls: WorkerTask<JobPayloads['publishCrls']> = (_payload, { em, authorityKeys, clock }) =>
  publish(em, { keys: authorityKeys, now: clock.now() });
