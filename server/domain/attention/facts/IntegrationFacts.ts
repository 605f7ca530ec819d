import type { ReadIntegrationStatus } from '../../integration/integrationStatus.ts';
import type { SuspensionCause } from '../../integration/status/statusTimeline.ts';
import type { ReviewRole } from '../../review/ReviewSubmission.ts';
import type { CorpusState } from '../../sandbox/corpusStatus.ts';
import type { Environment } from '../../shared/environment.ts';
import type { ErrorCode } from '../../shared/errorCatalogue.ts';
import type { DeletionCounts } from '../../sharing/deletion/deletionCounts.ts';
import type { QuotaLeft } from '../../usage/quotaLeft.ts';
import type { DeadLetter } from '../../webhook/endpoint/lastFailure.ts';
import type { Failed } from '../../webhook/failureCause.ts';
import type { WebhookEndpointStatus } from '../../outbox/webhookEndpointStatus.ts';

export type CertificateFacts = {
  readonly id: string;
  readonly status: 'pending' | 'issued';
  readonly usableUntil: Date | null;
  readonly issuedAt: Date | null;
  readonly lastUsedAt: Date | null;
};

export type EndpointFacts = {
  readonly id: string;
  /** Of it only the host is told, because its path may contain a secret. */
  readonly url: string;
  readonly status: WebhookEndpointStatus;
  readonly statusChangedAt: Date;
  readonly pausedBy: 'owner' | 'administrator' | null;
  readonly failuresInRow: number;
  readonly failingSince: Date | null;
  /** Whether it has not received what no suspension and no closed gate holds, so that it is still tried then. */
  readonly failsUnheld: boolean;
  /** Deliveries that are held while it is paused, and dead letters that no replay has replaced; neither is counted beyond a limit. */
  readonly held: number;
  readonly dead: number;
  /** Why these were given up on, the most frequent first; none where they are too many to be looked at. */
  readonly deadFor: readonly (Failed & { readonly count: number })[];
  /** What the last attempt came to at something that it has not received, while it fails or receives nothing. */
  readonly lastFailure: Failed | null;
  /** Whether what failed then is tried again. */
  readonly retried: boolean;
  readonly deadLetter: DeadLetter | null;
};

/** Of all endpoints of a client. */
export type DeliveryFacts = { readonly endpoints: number; readonly lastSuccessAt: Date | null };

/** A request that was refused, and why, where its answer said so. */
export type Refusal = { readonly at: Date; readonly problem: ErrorCode | null };
/** How many requests were refused for a reason. */
export type RefusedFor = { readonly problem: ErrorCode; readonly count: number };

/** What is known of a client. */
export type ClientFacts = {
  readonly id: string;
  readonly environment: Environment;
  /** Whether its scopes allow it to sync; those for statistics alone do not. */
  readonly maySync: boolean;
  /** Whether they allow it to acknowledge deletions. */
  readonly hasAcknowledgeScope: boolean;
  readonly lastRequestAt: Date | null;
  readonly lastSyncAt: Date | null;
  /** The last sync that was refused, if none has been answered since. */
  readonly refusedSync: Refusal | null;
  /** The hour of the first request of a client that has never synced. */
  readonly calledSince: Date | null;
  /** Those that occupy its slots, newest first. One that has expired keeps its slot until another needs it. */
  readonly certificates: readonly CertificateFacts[];
  /**
   * Requests of the present and the previous hour; those that were refused, of operations that have not been answered since; of these, those
   * that were refused for their certificate; and those that were refused before their operation was answered again, or production was opened.
   */
  readonly requests: number;
  readonly refused: number;
  readonly refusedCertificates: number;
  readonly refusedBefore: number;
  /** The last of those that were refused, if the log has one. */
  readonly lastRefusal: Refusal | null;
  /** Why those that were refused were, the most frequent reason first; nothing where the log does not have the reason of each. */
  readonly refusedFor: readonly RefusedFor[];
  /** What is left of those of its quotas that it has used in their present windows. */
  readonly quotas: readonly Pick<QuotaLeft, 'name' | 'limit' | 'left'>[];
  readonly deletions: DeletionCounts;
  readonly deliveries: DeliveryFacts;
  /** Those of its endpoints of which there is more to say: they fail, receive nothing, or have dead letters. */
  readonly endpoints: readonly EndpointFacts[];
};

/** Everything that the rules about an integration need to know, as of one moment. */
export type IntegrationFacts = {
  readonly asOf: Date;
  readonly id: string;
  readonly slug: string;
  readonly publicName: string;
  readonly status: ReadIntegrationStatus;
  readonly statusChangedAt: Date | null;
  /** What staff have said of the status, as its owner is told. */
  readonly statusReason: string | null;
  readonly suspendedFor: SuspensionCause | null;
  /** Whether both gates are open; since when a closed one is closed, or when the later of two open ones was opened. */
  readonly gateOpen: boolean;
  readonly gateChangedAt: Date | null;
  /** How often its back end is to sync, as the profile plans. */
  readonly cadenceMinutes: number;
  readonly corpus: CorpusState | null;
  /** Of the latest submission: whose turn it is, since when, and how many points of the checklist are not met. */
  readonly review: { readonly waitsFor: ReviewRole; readonly waitingSince: Date; readonly unmet: number } | null;
  readonly sandbox: ClientFacts | null;
  readonly production: ClientFacts | null;
};
