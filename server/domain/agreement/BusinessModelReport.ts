import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { Integration } from '../integration/Integration.ts';

const schema = defineEntity({
  name: 'BusinessModelReport',
  tableName: 'business_model_report',
  properties: {
    id: p.string().primary(),
    operatorId: p.manyToOne(Operator).mapToPk().fieldName('operator_id'),
    integrationId: p.manyToOne(Integration).mapToPk().fieldName('integration_id'),
    description: p.text(),
    reportedAt: p.datetime(3),
  },
});

/** The owner's notice before the business model of an integration changes (docs/specification.md, “Commercial use”). It never changes. */
export class BusinessModelReport extends schema.class {}
schema.setClass(BusinessModelReport);
