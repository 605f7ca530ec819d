import { removeExpired as remove } from '../../server/domain/account/removeExpired.ts';
import { removeOldMails } from '../../server/domain/notification/removeOldMails.ts';
import { removeExpiredShares } from '../../server/domain/sharing/removeExpiredShares.ts';
import { removeOldGenerations } from '../../server/domain/statistics/removeOldGenerations.ts';
import { removeOldRequests } from '../../server/domain/usage/removeOldRequests.ts';
import { removeExpiredEvents } from '../../server/domain/webhook/removeExpiredEvents.ts';
import type { WorkerTask } from '../workerContext.ts';

export const removeExpired: WorkerTask<unknown> = async (_payload, { em, clock }) => {
  const now = clock.now();
  await remove(em, { now });
  await removeOldMails(em, { now });
  await removeExpiredShares(em, { now });
  await removeOldRequests(em, { now });
  await removeExpiredEvents(em, { now });
  await removeOldGenerations(em, { now });
};
