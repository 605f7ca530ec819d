import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { move, type HeldByTable } from '../shared/stateMachine.ts';
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

type Held = HeldByTable<typeof schema.class, typeof integrationTransitions>;

/** One integration of an operator; isolated from and reviewed apart from every other. */
export class Integration extends (schema.class as Held) {
  /**
   * Moves it on. `reason` is for the owner to read, `back` the status that an action takes it back to. Throws `conflict` where the action
   * does not start from here.
   */
  apply(
    this: Integration,
    action: Exclude<IntegrationAction, 'approveSubmission'>,
    now: Date,
    reason: string | null = null,
    back?: IntegrationStatus,
  ): void {
    move(integrationTransitions, this, action, { statusReason: reason, statusChangedAt: now }, back);
  }

  /** A reviewer approves this version of its profile, which production shows from now on. Throws `conflict`. */
  approve(this: Integration, profileVersion: number, now: Date, reason: string | null): void {
    const written = { statusReason: reason, statusChangedAt: now, reviewedProfileVersion: profileVersion };
    move(integrationTransitions, this, 'approveSubmission', written);
  }
}
schema.setClass(Integration);
