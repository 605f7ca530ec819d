import { expireP12s as expire } from '../../server/domain/certificate/p12/expireP12s.ts';
import type { WorkerTask } from '../workerContext.ts';

export const expireP12s: WorkerTask<unknown> = (_payload, { em, clock }) => expire(em, { now: clock.now() });
