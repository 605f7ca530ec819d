import { defineEntity, p } from '@mikro-orm/postgresql';
import { mailKinds } from './mailKinds.ts';

const schema = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  properties: {
    /** Also the local part of the Message-ID, so that a repeated delivery can be told. */
    id: p.string().primary(),
    kind: p.enum(mailKinds),
    subjectId: p.string(),
    operatorId: p.string().nullable(),
    integrationId: p.string().nullable(),
    details: p.json<Readonly<Record<string, string | number>>>(),
    /** Only where the address is nowhere else when it is sent (a deleted account's), and only until it is. */
    recipient: p.string().nullable(),
    createdAt: p.datetime(3),
    sentAt: p.datetime(3).nullable(),
  },
});

/** A mail to send: unique per kind and subject, so that nothing is sent twice on purpose. It holds references, never secrets. */
export class Mail extends schema.class {}
schema.setClass(Mail);
