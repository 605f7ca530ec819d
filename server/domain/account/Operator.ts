import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Role } from '../shared/actor.ts';

const schema = defineEntity({
  name: 'Operator',
  tableName: 'operator',
  properties: {
    id: p.string().primary(),
    email: p.string(),
    /** The address in a form that is the same for all spellings of one account; see `emailKey`. */
    emailKey: p.string(),
    /** The WebAuthn user handle: random, so that a passkey names nobody. */
    userHandle: p.blob(),
    roles: p.array<Role>((text) => text as Role),
    createdAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
    /** No one can sign in until an administrator unlocks the account. */
    lockedAt: p.datetime(3).nullable(),
    lockReason: p.string().nullable(),
  },
});

/** One person with one account (docs/specification.md, “Operator account”). Created when the first passkey is enrolled. */
export class Operator extends schema.class {}
schema.setClass(Operator);
