import { defineEntity, p } from '@mikro-orm/postgresql';
import { mailKinds } from './mailKinds.ts';

const schema = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  properties: {
    /** Also the local part of the Message-ID, so that a repeated delivery can be recognised. */
    id: p.string().primary(),
    kind: p.enum(mailKinds),
    subjectId: p.string(),
    operatorId: p.string().nullable(),
    integrationId: p.string().nullable(),
    details: p.json<Readonly<Record<string, string | number>>>(),
    /** Only where the address is stored nowhere else when the mail is sent (a deleted account's), and only until it is sent. */
    recipient: p.string().nullable(),
    createdAt: p.datetime(3),
    /** Before it was handed over the last time. */
    attemptedAt: p.datetime(3).nullable(),
    /** How often it was handed over without learning what became of it. */
    handovers: p.integer().default(0),
    sentAt: p.datetime(3).nullable(),
    /** When the mail server refused it for good, and with which reply, such as `550 5.1.1`. */
    refusedAt: p.datetime(3).nullable(),
    refusedWith: p.string().nullable(),
    /** When its reader marked it as read among the news of the portal. */
    readAt: p.datetime(3).nullable(),
  },
});

/**
 * A mail to send. There is one for each kind and subject, so that nobody is told the same thing twice. It holds references, never secrets.
 */
export class Mail extends schema.class {}
schema.setClass(Mail);
