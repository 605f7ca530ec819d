import { enforceDeletionDeadlines as enforce } from '../../server/domain/sharing/deletion/enforceDeletionDeadlines.ts';
import type { WorkerTask } from '../workerContext.ts';

export const enforceDeletionDeadlines: WorkerTask<unknown> = (_payload, { em, clock }) => enforce(em, { now: clock.now() });
