import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../Operator.ts';

const schema = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  properties: {
    /** The credential id, base64url. */
    id: p.string().primary(),
    operatorId: p.manyToOne(Operator).mapToPk().fieldName('operator_id'),
    name: p.string(),
    /** COSE public key. */
    publicKey: p.blob(),
    counter: p.bigint('number'),
    transports: p.array(),
    deviceType: p.enum(['singleDevice', 'multiDevice'] as const),
    backedUp: p.boolean(),
    aaguid: p.string(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
  },
});

/** A passkey with user verification, the only kind of credential (docs/specification.md, “Passkeys”). */
export class Passkey extends schema.class {}
schema.setClass(Passkey);
