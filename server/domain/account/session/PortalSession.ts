import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../Operator.ts';

/** `enrolment` makes an account's first passkey, `recovery` the first one after a recovery code; neither can do anything else. */
export const sessionKinds = ['enrolment', 'recovery', 'full'] as const;
export type SessionKind = (typeof sessionKinds)[number];

const schema = defineEntity({
  name: 'PortalSession',
  tableName: 'portal_session',
  properties: {
    id: p.string().primary(),
    kind: p.enum(sessionKinds),
    /** Absent while a new address enrols its first passkey. */
    operatorId: p.manyToOne(Operator).mapToPk().fieldName('operator_id').nullable(),
    email: p.string(),
    generation: p.integer(),
    /** When the current generation's cookie first came back; the former one ends a minute later. */
    generationConfirmedAt: p.datetime(3).nullable(),
    rotatedAt: p.datetime(3),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3),
    expiresAt: p.datetime(3),
    /** A fresh passkey confirmation is good until here. */
    confirmedUntil: p.datetime(3).nullable(),
    /** Cookies of former generations are not confirmed. */
    confirmedGeneration: p.integer().nullable(),
    endedAt: p.datetime(3).nullable(),
    endReason: p.string().nullable(),
    ip: p.string(),
    userAgent: p.string(),
  },
});

/** A signed-in browser: 20 minutes idle, 8 hours at most, rotated while in use (docs/specification.md, “Sessions”). */
export class PortalSession extends schema.class {}
schema.setClass(PortalSession);
