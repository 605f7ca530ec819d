import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../Operator.ts';

/** `enrolment` creates an account's first passkey, `recovery` the first one after a recovery code. Neither can do anything else. */
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
    /** When the cookie of the current generation first came back. The former cookie becomes invalid a minute later. */
    generationConfirmedAt: p.datetime(3).nullable(),
    rotatedAt: p.datetime(3),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3),
    expiresAt: p.datetime(3),
    /** Until when a fresh passkey confirmation is valid. */
    confirmedUntil: p.datetime(3).nullable(),
    /** Cookies of earlier generations are not confirmed. */
    confirmedGeneration: p.integer().nullable(),
    endedAt: p.datetime(3).nullable(),
    endReason: p.string().nullable(),
    ip: p.string(),
    userAgent: p.string(),
  },
});

/**
 * A signed-in browser. It ends after 20 idle minutes or after 8 hours, and its cookie rotates while it is in use (docs/specification.md,
 * “Sessions”).
 */
export class PortalSession extends schema.class {}
schema.setClass(PortalSession);
