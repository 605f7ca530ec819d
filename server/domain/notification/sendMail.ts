import type { EntityManager } from '@mikro-orm/postgresql';
import { verificationToken } from '../account/requestRegistration.ts';
import { Operator } from '../account/Operator.ts';
import { VerificationLink } from '../account/VerificationLink.ts';
import { Mail } from './Mail.ts';
import type { Mailer } from './mailer.ts';
import { knownAddressMail, registrationMail, renderMail } from './mailTexts.ts';

export type SendMail = { mailId: string; mailer: Mailer; portalUrl: string; linkKey: Buffer; now: Date };

/** Renders and hands over a queued mail, once in effect; what has expired meanwhile is not sent. Rejects so that the job is tried again. */
export async function sendMail(em: EntityManager, { mailId, mailer, portalUrl, linkKey, now }: SendMail): Promise<void> {
  const mail = await em.findOne(Mail, { id: mailId, sentAt: null });
  if (!mail) return;
  const text = await registrationText(em, mail.subjectId, { portalUrl, linkKey, now });
  if (!text) return;
  await mailer.send({ id: mail.id, recipient: mail.recipient, subject: text.subject, ...renderMail(text) });
  await em.nativeUpdate(Mail, { id: mailId }, { sentAt: now });
}

async function registrationText(
  em: EntityManager,
  linkId: string,
  { portalUrl, linkKey, now }: Pick<SendMail, 'portalUrl' | 'linkKey' | 'now'>,
) {
  const link = await em.findOne(VerificationLink, { id: linkId, consumedAt: null, expiresAt: { $gt: now } });
  if (!link) return null;
  const known = await em.count(Operator, { emailKey: link.emailKey, deletedAt: null });
  return known > 0 ? knownAddressMail(portalUrl) : registrationMail(portalUrl, verificationToken(linkKey, link.id));
}
