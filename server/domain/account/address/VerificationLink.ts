import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../Operator.ts';

const schema = defineEntity({
  name: 'VerificationLink',
  tableName: 'verification_link',
  properties: {
    id: p.string().primary(),
    purpose: p.enum(['registration', 'email_change_current', 'email_change_new'] as const),
    tokenHash: p.blob(),
    email: p.string(),
    emailKey: p.string(),
    operatorId: p.manyToOne(Operator).mapToPk().fieldName('operator_id').nullable(),
    ip: p.string(),
    /**
     * Where the link was requested from, in the form in which attempts are counted, so that confirming it releases them. Older links do not
     * have it.
     */
    network: p.string().nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    consumedAt: p.datetime(3).nullable(),
    /** The browser that asked for a registration, as a hash of its secret. Only there, the code in the mail works. */
    browserHash: p.blob().nullable(),
  },
});

/** A one-time link that is sent to an address. It is valid for 20 minutes and stored as a hash (docs/specification.md, “Registration”). */
export class VerificationLink extends schema.class {}
schema.setClass(VerificationLink);
