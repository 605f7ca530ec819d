import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../Operator.ts';

const schema = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  properties: {
    codeHmac: p.blob().primary(),
    operatorId: p.manyToOne(Operator).mapToPk().fieldName('operator_id'),
    createdAt: p.datetime(3),
    usedAt: p.datetime(3).nullable(),
  },
});

/** A single-use recovery code, shown once and stored as an HMAC (docs/specification.md, “Recovery codes”). */
export class RecoveryCode extends schema.class {}
schema.setClass(RecoveryCode);
