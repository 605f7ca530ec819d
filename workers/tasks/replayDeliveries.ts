import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import { carryOutReplay } from '../../server/domain/webhook/replay/carryOutReplay.ts';
import type { WorkerTask } from '../workerContext.ts';

export const replayDeliveries: WorkerTask<JobPayloads['replayDeliveries']> = ({ replayId }, { em, clock }) =>
  carryOutReplay(em, { replayId, now: clock.now() });
