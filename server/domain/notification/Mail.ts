import { defineEntity, p } from '@mikro-orm/postgresql';

export const mailKinds = ['registration'] as const;
export type MailKind = (typeof mailKinds)[number];

const schema = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  properties: {
    /** Also the local part of the Message-ID, so that a repeated delivery can be told. */
    id: p.string().primary(),
    kind: p.enum(mailKinds),
    subjectId: p.string(),
    recipient: p.string(),
    createdAt: p.datetime(3),
    sentAt: p.datetime(3).nullable(),
  },
});

/** A mail to send: unique per kind and subject, so that nothing is sent twice on purpose. It holds references, never secrets. */
export class Mail extends schema.class {}
schema.setClass(Mail);
