import { linkToken } from '../../server/domain/account/address/linkToken.ts';
import { registrationCode } from '../../server/domain/account/address/registrationCode.ts';
import { sendMail as send } from '../../server/domain/notification/sendMail.ts';
import { mails } from '../../server/platform/metrics.ts';
import type { JobPayloads } from '../../server/domain/shared/jobs.ts';
import type { WorkerTask } from '../workerContext.ts';

export const sendMail: WorkerTask<JobPayloads['sendMail']> = async (
  { mailId },
  { em, mailer, portalUrl, supportContact, keyRing, clock },
) => {
  const outcome = await send(em, {
    mailId,
    mailer,
    portalUrl,
    supportContact,
    tokenOf: (linkId) => linkToken(em, keyRing.verification_link, linkId),
    codeOf: (linkId) => registrationCode(em, keyRing.verification_link, linkId),
    now: clock.now(),
  });
  mails.inc({ outcome });
};
