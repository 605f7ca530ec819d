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
    /** The reason given by the one who moved it to its current status, if there was one. */
    statusReason: p.text().nullable(),
    statusChangedAt: p.datetime(3).nullable(),
    /** One of two gates: production data flows only while the service's gate is open too. Only administrators change it. */
    productionGateOpen: p.boolean().default(false),
    productionGateReason: p.text().nullable(),
    productionGateChangedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

type Held = HeldByTable<typeof schema.class, typeof integrationTransitions>;

/** One of an operator's integrations, isolated from every other and reviewed separately. */
export class Integration extends (schema.class as Held) {
  /**
   * Moves the integration to the status that the action leads to. `reason` is for the owner to read; `back` names the status where the
   * action leads back to one of several. Throws `conflict` where the action cannot start from the current status.
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
