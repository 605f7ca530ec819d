import { removeExpired as remove } from '../../server/domain/retention/removeExpired.ts';
import type { WorkerTask } from '../workerContext.ts';

export const removeExpired: WorkerTask<unknown> = (_payload, { em, clock }) => remove(em, { now: clock.now() });
