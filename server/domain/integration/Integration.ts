import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { nextState } from '../shared/stateMachine.ts';
import { integrationStatuses, integrationTransitions, type IntegrationAction } from './integrationStatus.ts';

const schema = defineEntity({
  name: 'Integration',
  tableName: 'integration',
  properties: {
    id: p.string().primary(),
    operatorId: p.manyToOne(Operator).mapToPk().fieldName('operator_id'),
    slug: p.string(),
    status: p.enum(integrationStatuses),
    /** The current profile version; the reviewed one is what production shows. */
    profileVersion: p.integer(),
    reviewedProfileVersion: p.integer().nullable(),
    productionGateOpen: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
});

/** One integration of an operator; isolated from and reviewed apart from every other. */
export class Integration extends schema.class {
  /** The one writer of the status. Throws `conflict` where the action does not start from the present one. */
  apply(action: IntegrationAction): void {
    this.status = nextState(integrationTransitions, this.status, action);
  }
}
schema.setClass(Integration);
