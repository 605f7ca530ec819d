import { judgeHealth as judge } from '../../server/domain/attention/judgeHealth.ts';
import type { WorkerTask } from '../workerContext.ts';

export const judgeHealth: WorkerTask<unknown> = (_payload, { em, clock }) => judge(em, { now: clock.now() });
