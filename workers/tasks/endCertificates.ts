import { revokeUntrusted } from '../../server/domain/certificate/authority/revokeUntrusted.ts';
import { failUnissued } from '../../server/domain/certificate/failUnissued.ts';
import type { WorkerTask } from '../workerContext.ts';

export const endCertificates: WorkerTask<unknown> = async (_payload, { em, clock }) => {
  await revokeUntrusted(em, clock.now());
  await failUnissued(em, clock.now());
};
