import { announceGate as announce } from '../../server/domain/gate/announceGate.ts';
import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import type { WorkerTask } from '../workerContext.ts';

export const announceGate: WorkerTask<JobPayloads['announceGate']> = ({ after }, { em, clock }) =>
  announce(em, { after, now: clock.now() });
