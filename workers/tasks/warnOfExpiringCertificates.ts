import { warnOfExpiringCertificates as warn } from '../../server/domain/certificate/warnOfExpiringCertificates.ts';
import type { WorkerTask } from '../workerContext.ts';

export const warnOfExpiringCertificates: WorkerTask<unknown> = (_payload, { em, clock }) => warn(em, { now: clock.now() });
