import { defineEntity, p } from '@mikro-orm/postgresql';

const schema = defineEntity({
  name: 'Authority',
  tableName: 'certificate_authority',
  properties: {
    id: p.string().primary(),
    kind: p.enum(['root', 'issuing'] as const),
    /** The authority that signed this one. Absent for a root. */
    issuerId: p.string().strictNullable(),
    certificatePem: p.text(),
    /** The private key, wrapped with SIGNING_KEY. Absent if it is kept elsewhere (an offline root, a KMS). */
    wrappedKey: p.blob().nullable(),
    notAfter: p.datetime(3),
    createdAt: p.datetime(3),
    retiredAt: p.datetime(3).nullable(),
    /** Since when it is not trusted any more, because its root has revoked it. */
    revokedAt: p.datetime(3).nullable(),
    crlNumber: p.bigint('number').default(0),
  },
});

/** One of our certificate authorities: the root, or the issuing one, which signs client certificates. */
export class Authority extends schema.class {}
schema.setClass(Authority);
