import type { Environment } from '../shared/environment.ts';
import type { StatusWord } from '../shared/text/statusWord.ts';
import type { HoldReason } from '../outbox/deliveryFacts.ts';

/** Whether certificates can be had, and else why not: refusals say so in these words, so a phase with another reason needs another value. */
export type CertificatePermission = 'yes' | 'notBeforeApproval' | 'notOnceRetired';
/** The same of webhook endpoints. */
export type EndpointPermission = CertificatePermission | 'notWhileSuspended';

/** How the machine API refuses an integration because of its status. */
type IntegrationRefusal = 'integration_not_active' | 'integration_suspended' | 'integration_retired';

/** What is true of an integration in one environment. */
export type PhaseFacts = (
  | {
      readonly calls: 'yes';
      readonly refusal: null;
    }
  | {
      /** Whether the machine API answers: `notNow` if it used to and may again. */
      readonly calls: 'notYet' | 'notNow' | 'never';
      /** The problem with which it refuses every call, renewals included. */
      readonly refusal: IntegrationRefusal;
    }
) & {
  /** Requested on the portal. */
  readonly certificates: CertificatePermission;
  /** Whether the owner can let the back end renew its certificates, which it then does where calls are answered. */
  readonly renewals: CertificatePermission;
  readonly endpoints: EndpointPermission;
  /** Whether users can share with it, and its back end can redeem link codes. */
  readonly shares: boolean;
  /** Whether a missed deletion suspends it, in production, as the transitions have it. */
  readonly missedDeletionSuspends: boolean;
} & (
    | {
        /** Production is being prepared or open, so that its owner has to see to whatever its client lacks, and is able to. */
        readonly isUnderWay: true;
        readonly certificates: 'yes';
        readonly endpoints: 'yes';
      }
    | { readonly isUnderWay: false }
  );

export const phaseFacts = {
  unapproved: {
    calls: 'notYet',
    refusal: 'integration_not_active',
    isUnderWay: false,
    certificates: 'notBeforeApproval',
    renewals: 'notBeforeApproval',
    endpoints: 'notBeforeApproval',
    shares: false,
    missedDeletionSuspends: false,
  },
  prepared: {
    calls: 'notYet',
    refusal: 'integration_not_active',
    isUnderWay: true,
    certificates: 'yes',
    renewals: 'yes',
    endpoints: 'yes',
    shares: false,
    missedDeletionSuspends: false,
  },
  open: {
    calls: 'yes',
    refusal: null,
    isUnderWay: true,
    certificates: 'yes',
    renewals: 'yes',
    endpoints: 'yes',
    shares: true,
    missedDeletionSuspends: true,
  },
  suspended: {
    calls: 'notNow',
    refusal: 'integration_suspended',
    isUnderWay: false,
    certificates: 'yes',
    renewals: 'yes',
    endpoints: 'notWhileSuspended',
    shares: false,
    missedDeletionSuspends: false,
  },
  over: {
    calls: 'never',
    refusal: 'integration_retired',
    isUnderWay: false,
    certificates: 'notOnceRetired',
    renewals: 'notOnceRetired',
    endpoints: 'notOnceRetired',
    shares: false,
    missedDeletionSuspends: false,
  },
} as const satisfies Readonly<Record<string, PhaseFacts>>;

/** How an integration stands in one environment. */
export type IntegrationPhase = keyof typeof phaseFacts;

export type StatusFacts = StatusWord &
  Readonly<Record<Environment, IntegrationPhase>> & {
    /** Why deliveries are held in both environments; null: they go. */
    readonly holds: HoldReason | null;
    /** Whether users find it in the catalogue. */
    readonly isListed: boolean;
    /** Whether reviewers work on it, so that nothing that they look at may change. */
    readonly isInReview: boolean;
  };

/**
 * What each status of an integration means, for everything that asks about more than a name (docs/specification.md, “Integration status”). How
 * well an active one works is its health.
 */
export const integrationFacts = {
  sandbox: {
    tone: 'neutral',
    word: 'Sandbox only',
    sandbox: 'open',
    production: 'unapproved',
    holds: null,
    isListed: false,
    isInReview: false,
  },
  submitted: {
    tone: 'underWay',
    word: 'Submitted',
    sandbox: 'open',
    production: 'unapproved',
    holds: null,
    isListed: false,
    isInReview: true,
  },
  rejected: { tone: 'bad', word: 'Rejected', sandbox: 'open', production: 'unapproved', holds: null, isListed: false, isInReview: false },
  approved: { tone: 'good', word: 'Approved', sandbox: 'open', production: 'prepared', holds: null, isListed: false, isInReview: false },
  active: { tone: 'on', word: 'Active', sandbox: 'open', production: 'open', holds: null, isListed: true, isInReview: false },
  suspended: {
    tone: 'bad',
    word: 'Suspended',
    sandbox: 'open',
    production: 'suspended',
    holds: 'integration_suspended',
    isListed: false,
    isInReview: false,
  },
  retired: { tone: 'stopped', word: 'Retired', sandbox: 'over', production: 'over', holds: null, isListed: false, isInReview: false },
  /** Of a later release: nothing is answered, sent or moved, as admission and `holdSql` do. */
  unknown: {
    tone: 'neutral',
    word: 'Unknown',
    sandbox: 'unapproved',
    production: 'unapproved',
    holds: 'integration_suspended',
    isListed: false,
    isInReview: false,
  },
} as const satisfies Readonly<Record<string, StatusFacts>>;

/** How production stands where the deliveries of a sandbox that answers are held as well. */
export type HoldingPhase = {
  [Status in keyof typeof integrationFacts]: (typeof integrationFacts)[Status] extends { sandbox: 'open'; holds: HoldReason }
    ? (typeof integrationFacts)[Status]['production']
    : never;
}[keyof typeof integrationFacts];

/** The statuses from approval on, suspension included: production certificates can be prepared, and the gate has an effect. */
export const productionStatuses = ['approved', 'active', 'suspended'] as const satisfies readonly (keyof typeof integrationFacts)[];
export type ProductionStatus = (typeof productionStatuses)[number];
