import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { nextState } from '../shared/stateMachine.ts';
import { integrationStatuses, integrationTransitions, type IntegrationAction, type IntegrationStatus } from './integrationStatus.ts';

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
    /** The words of whoever brought it into its status, where there were any. */
    statusReason: p.text().nullable(),
    statusChangedAt: p.datetime(3).nullable(),
    /** One of two gates: production data flows while the service's is open as well. Only administrators move it. */
    productionGateOpen: p.boolean().default(false),
    productionGateReason: p.text().nullable(),
    productionGateChangedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

/** One integration of an operator; isolated from and reviewed apart from every other. */
export class Integration extends schema.class {
  /**
   * The one writer of the status. `reason` is for the owner to read, `back` the status that an action takes it back to. Throws `conflict`
   * where the action does not start from here.
   */
  apply(action: IntegrationAction, now: Date, reason: string | null = null, back?: IntegrationStatus): void {
    this.status = nextState<IntegrationStatus, typeof integrationTransitions>(integrationTransitions, this.status, action, back);
    this.statusReason = reason;
    this.statusChangedAt = now;
  }
}
schema.setClass(Integration);
