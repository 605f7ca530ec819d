import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import type { SupportContact } from '../shared/supportContact.ts';
import { knownAddressText, resetText, takenAddressText } from './accountMailTexts.ts';
import { Mail } from './Mail.ts';
import type { Mailer } from './mailer.ts';
import { linkKinds, mailKindRules, roleOfTopic } from './mailKinds.ts';
import type { MailText } from './mailText.ts';
import { renderMail } from './renderMail.ts';
import { outOfTime, resetDueSql } from './resetDue.ts';
import { textOfMail } from './textOfMail.ts';
import { namedAs } from './namedAs.ts';

type SendMail = {
  mailId: string;
  mailer: Mailer;
  portalUrl: string;
  supportContact: SupportContact;
  /** The secret of a link, which is stored nowhere. */
  tokenOf: SecretOf;
  /** The code beside the link of a registration, which is stored nowhere either. */
  codeOf: SecretOf;
  now: Date;
};

/** What became of a mail: `not_sent` if there was nothing to send any more. */
type MailOutcome = 'sent' | 'refused' | 'not_sent';

type SecretOf = (linkId: string) => Promise<string>;

/** What a text needs besides the mail itself. */
type Said = { readonly tokenOf: SecretOf; readonly codeOf: SecretOf; readonly contact: string };
/** Of a link also whether its address has an account, and whether a reset of that account is due. */
type Addressed = { readonly recipient: string; readonly known?: boolean; readonly reset?: boolean; readonly newAddress?: string | null };

/**
 * Renders a queued mail and hands it over, in effect once: a repeated delivery has the same Message-ID. A mail that has expired in the
 * meantime, is muted, or would go to a deleted account is not sent. Rejects where it cannot be handed over, so that the job is tried again,
 * unless the mail server has refused it for good: that is recorded, and final.
 * That it is about to be handed over is written first: a database that cannot write, or a process that ends in between each time, does not
 * fill somebody's mailbox with what every try of the job sends. After some such tries the job only fails.
 */
export async function sendMail(
  em: EntityManager,
  { mailId, mailer, portalUrl, supportContact, tokenOf, codeOf, now }: SendMail,
): Promise<MailOutcome> {
  const mail = await em.findOne(Mail, { id: mailId, sentAt: null, refusedAt: null });
  if (!mail) return 'not_sent';
  if (!Object.hasOwn(mailKindRules, mail.kind)) throw unknownKind();
  const addressed = await addressOf(em, mail, now);
  if (!addressed) return 'not_sent';
  const text = await textOf(em, mail, addressed, { tokenOf, codeOf, contact: supportContact.text });
  const message = { id: mail.id, recipient: addressed.recipient, subject: text.subject, ...renderMail(mail.kind, text, portalUrl) };
  const [begun] = await sql(em, beginSql, [mailId, now, limits.mailHandovers]);
  // Nobody knows whether it has arrived, so it neither counts as sent nor is sent again: the job fails where administrators see it.
  if (!begun) throw unknownOutcome();
  const refusedWith = await mailer.send(message).catch(async (error: unknown) => {
    // The mail server has not taken it.
    await sql(em, 'update mail set handovers = handovers - 1 where id = $1', [mailId]);
    throw error;
  });
  if (refusedWith !== null) {
    await em.nativeUpdate(Mail, { id: mailId }, { refusedAt: now, refusedWith, recipient: null });
    return 'refused';
  }
  await em.nativeUpdate(Mail, { id: mailId }, { sentAt: now, recipient: null });
  return 'sent';
}

/** While a release is installed or taken back, workers of the one that knows the kind send it: the job is tried again. */
function unknownKind(): Error {
  return Object.assign(new Error('Only a later release can write a mail of this kind.'), { code: 'MAIL_KIND_UNKNOWN' });
}

/** Its code is what administrators see of the failed job. */
function unknownOutcome(): Error {
  const words = `The mail was handed over ${limits.mailHandovers} times, and its outcome could not be stored any of these times. It may have arrived, so it is not handed over again.`;
  return Object.assign(new Error(words), { code: 'MAIL_OUTCOME_UNKNOWN' });
}

/** By the primary key. Nothing if it has been handed over so often, each time with its outcome lost. */
const beginSql =
  'update mail set attempted_at = $2, handovers = handovers + 1 where id = $1 and sent_at is null and handovers < $3 returning id';

/** Who gets the mail now; null when it is no longer to be sent. */
async function addressOf(em: EntityManager, mail: Mail, now: Date): Promise<Addressed | null> {
  switch (mail.kind) {
    case 'registration':
    case 'email_change_current':
    case 'email_change_new':
      return linkAddress(em, mail.subjectId, now);
    case 'email_changed':
      return one(em, 'select email as recipient from verification_link where id = $1', [mail.subjectId]);
    case 'account_deleted':
      return mail.recipient == null ? null : { recipient: mail.recipient };
    default:
      return accountAddress(em, mail);
  }
}

const accountAddressSql = `
select email as recipient from operator
 where id = $1 and deleted_at is null and ($2::text is null or not muted_notifications @> array[$2::text]) and ($3::text is null or (roles @> array[$3::text] and locked_at is null))`;

/**
 * The account's address, unless its owner has switched this mail off, or it is a mail for staff and the account has lost the role or is
 * locked.
 */
function accountAddress(em: EntityManager, { kind, operatorId }: Mail): Promise<Addressed | null> {
  const { topic } = mailKindRules[kind];
  return one(em, accountAddressSql, [operatorId, topic, topic === null ? null : roleOfTopic(topic)]);
}

/**
 * The address that a one-time link was made for, while the link can still be used: a change of address that it belongs to must be neither
 * cancelled nor completed.
 */
function linkAddress(em: EntityManager, linkId: string, now: Date): Promise<Addressed | null> {
  return one(
    em,
    `select l.email as recipient, o.id is not null as known, l.purpose = 'registration' and ${resetDueSql} as reset,
            c.new_email as "newAddress"
       from verification_link l left join email_change c on c.id = l.email_change_id left join operator o on o.email_key = l.email_key
      where l.id = $1 and l.consumed_at is null and l.expires_at > $2 and c.cancelled_at is null and c.completed_at is null`,
    [linkId, now, outOfTime(now)],
  );
}

async function one(em: EntityManager, statement: string, parameters: readonly unknown[]): Promise<Addressed | null> {
  const [row] = await sql<Addressed>(em, statement, parameters);
  return row ?? null;
}

async function textOf(
  em: EntityManager,
  mail: Mail,
  { known, reset, newAddress = null }: Addressed,
  { tokenOf, codeOf, contact }: Said,
): Promise<MailText> {
  if (known === true && reset !== true && mail.kind === 'registration') return knownAddressText;
  if (known === true && mail.kind === 'email_change_new') return takenAddressText;
  const [integration] = await sql<{ name: string; slug: string }>(
    em,
    `select v.public_name as name, i.slug from integration i ${namedAs('$2::json')} where i.id = $1`,
    [mail.integrationId ?? null, JSON.stringify(mail.details)],
  );
  const token = linkKinds.has(mail.kind) ? await tokenOf(mail.subjectId) : null;
  const code = mail.kind === 'registration' ? await codeOf(mail.subjectId) : null;
  if (reset === true) return resetText({ token, code, contact });
  return textOfMail(mail.kind, { details: mail.details, token, code, newAddress, contact, integration: integration ?? null });
}
