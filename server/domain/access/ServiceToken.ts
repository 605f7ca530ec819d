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
    /** The name that the administrator gave the token. It says which program holds it. */
    name: p.string(),
    environment: p.enum(environments),
    /** SHA-256 of the token's text. The text itself is shown once and stored nowhere. */
    tokenHash: p.blob(),
    permissions: p.array<ServicePermission>((text) => text as ServicePermission),
    createdAt: p.datetime(3),
    /** Absent if the token was created on the server's terminal. */
    createdBy: p.manyToOne(Operator).mapToPk().fieldName('created_by').nullable(),
    expiresAt: p.datetime(3),
    /** Exact to the minute. */
    lastUsedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
  },
});

/** What the order-tracking service's tooling presents instead of a session: for one environment, with named permissions and an end. */
export class ServiceToken extends schema.class {}
schema.setClass(ServiceToken);

/** A new token's text: `svct_` and 256 random bits, so that a plain hash is enough to store it. */
export function newTokenText(): string {
  return `svct_${crockford(randomBytes(32))}`;
}

/** What the database keeps of a token's text, or null if the text does not have the form of a token. */
export function tokenHash(text: string): Buffer | null {
  return /^svct_[0-9a-hjkmnp-tv-z]{52}$/.test(text) ? createHash('sha256').update(text).digest() : null;
}
