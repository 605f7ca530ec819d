import type { JobPayloads } from '../../server/domain/jobs.ts';
import { sendMail as send } from '../../server/domain/notification/sendMail.ts';
import type { WorkerTask } from '../workerContext.ts';

export const sendMail: WorkerTask<JobPayloads['sendMail']> = ({ mailId }, { em, mailer, portalUrl, supportContact, keyRing, clock }) =>
  send(em, { mailId, mailer, portalUrl, supportContact, linkKey: keyRing.verification_link, now: clock.now() });
