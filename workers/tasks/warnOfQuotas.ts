import { warnOfQuotas as warn } from '../../server/domain/usage/warnOfQuotas.ts';
import type { WorkerTask } from '../workerContext.ts';

export const warnOfQuotas: WorkerTask<unknown> = (_payload, { em, clock }) => warn(em, { now: clock.now() });
