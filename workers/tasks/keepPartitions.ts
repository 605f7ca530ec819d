import { keepPartitions as keep } from '../../server/domain/retention/keepPartitions.ts';
import type { WorkerTask } from '../workerContext.ts';

export const keepPartitions: WorkerTask<unknown> = (_payload, { em, clock }) => keep(em, { now: clock.now() });
