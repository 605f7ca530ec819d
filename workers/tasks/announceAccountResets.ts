import { announceResets } from '../../server/domain/account/accountReset.ts';
import type { WorkerTask } from '../workerContext.ts';

export const announceAccountResets: WorkerTask<unknown> = (_payload, { em, clock }) => announceResets(em, { now: clock.now() });
