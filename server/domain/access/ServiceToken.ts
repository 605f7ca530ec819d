import { createHash, randomBytes } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { environments } from '../shared/environment.ts';
import { crockford } from '../shared/ids.ts';
import type { ServicePermission } from './servicePermissions.ts';

const schema = defineEntity({
  name: 'ServiceToken',
  tableName: 'service_token',
  properties: {
    id: p.string().primary(),
    /** What the administrator calls it; it says which program holds the token. */
    name: p.string(),
    environment: p.enum(environments),
    /** SHA-256 of the token's text, which is shown once and stored nowhere. */
    tokenHash: p.blob(),
    permissions: p.array<ServicePermission>((text) => text as ServicePermission),
    createdAt: p.datetime(3),
    /** Absent where the token was made on the server's terminal. */
    createdBy: p.manyToOne(Operator).mapToPk().fieldName('created_by').nullable(),
    expiresAt: p.datetime(3),
    /** Exact to a minute. */
    lastUsedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
  },
});

/** What the order-tracking service's tooling presents instead of a session: one environment, named permissions, an end. */
export class ServiceToken extends schema.class {}
schema.setClass(ServiceToken);

/** A new token's text: `svct_` and 256 random bits, so that a plain hash of it can be stored. */
export function newTokenText(): string {
  return `svct_${crockford(randomBytes(32))}`;
}

/** What the database keeps of a token's text; null when the text has not the form of a token. */
export function tokenHash(text: string): Buffer | null {
  return /^svct_[0-9a-hjkmnp-tv-z]{52}$/.test(text) ? createHash('sha256').update(text).digest() : null;
}
