import { setImmediate as turn } from 'node:timers/promises';
import DataLoader from 'dataloader';
import type { EntityManager } from '@mikro-orm/postgresql';
import { namesOf } from '../domain/administration/namesOf.ts';
import { integrationCounts, operatorsById, type OperatorRecord } from '../domain/administration/operators.ts';
import { businessModelReportsOf, commercialAgreementsOf } from '../domain/agreement/agreementsOf.ts';
import type { BusinessModelReport } from '../domain/agreement/BusinessModelReport.ts';
import type { CommercialAgreement } from '../domain/agreement/CommercialAgreement.ts';
import { readFacts, readOwnFacts } from '../domain/attention/facts/readFacts.ts';
import type { IntegrationFacts } from '../domain/attention/facts/IntegrationFacts.ts';
import { type AttentionSum, attentionSum, ownersAttention, viewerAttention } from '../domain/attention/viewerAttention.ts';
import type { AttentionItem } from '../domain/notification/words/AttentionItem.ts';
import type { Certificate } from '../domain/certificate/Certificate.ts';
import { certificatesInUse } from '../domain/certificate/certificates.ts';
import { type P12Package, p12Packages } from '../domain/certificate/p12/p12Packages.ts';
import { nextKeyNames } from '../domain/certificate/keyNames.ts';
import { type CertificateRenewal, renewalsOf } from '../domain/certificate/renewalsOf.ts';
import { Client } from '../domain/client/Client.ts';
import { quotaOverridesOf, type QuotaOverride } from '../domain/client/quotaOverrides.ts';
import { evidenceOf, type Evidence } from '../domain/evidence/evidenceOf.ts';
import { serviceGate, type ProductionGate } from '../domain/gate/serviceGate.ts';
import { Integration } from '../domain/integration/Integration.ts';
import { ProfileVersion } from '../domain/integration/profile/ProfileVersion.ts';
import {
  causesOfSuspension,
  latestSteps,
  statusTimelines,
  type SuspensionCause,
  type TimelineEntry,
} from '../domain/integration/status/statusTimeline.ts';
import { Logo } from '../domain/logo/Logo.ts';
import type { ReviewMessage } from '../domain/review/ReviewMessage.ts';
import type { ReviewRole, ReviewSubmission } from '../domain/review/ReviewSubmission.ts';
import type { SubmissionCheck } from '../domain/review/check/submissionChecks.ts';
import { missingForReview } from '../domain/review/owner/missingForReview.ts';
import { type CheckedVersion, submissionChecksOf } from '../domain/review/check/submissionChecksOf.ts';
import { draftsOf, type SubmissionDraft } from '../domain/review/owner/submissionDraft.ts';
import { type QueuePlace, queuePlaces } from '../domain/review/queuePlaces.ts';
import {
  formerNotes,
  judgedPoints,
  reviewDraftsOf,
  visitsOf,
  type FormerNotes,
  type JudgedPoints,
  type ReviewDraft,
  type ReviewVisit,
} from '../domain/review/reviewer/sittingParts.ts';
import { reviewTurns } from '../domain/review/reviewTurns.ts';
import type { ReviewVerdict } from '../domain/review/ReviewVerdict.ts';
import { earlierSubmissions, messagesOf, reviewerEmails, verdictsOf, type NumberedSubmission } from '../domain/review/submissionParts.ts';
import { outstandingDeletions, type OutstandingDeletions } from '../domain/sharing/deletion/outstandingDeletions.ts';
import { SandboxCorpus } from '../domain/sandbox/SandboxCorpus.ts';
import type { Role } from '../domain/shared/actor.ts';
import type { Environment } from '../domain/shared/environment.ts';
import { certificatesLastUsed } from '../domain/usage/certificateActivity.ts';
import { clientActivities, type ClientActivity } from '../domain/usage/clientActivity.ts';
import { trafficOf, type HourOfTraffic } from '../domain/usage/traffic.ts';
import { latestChallenges, type WebhookChallenge } from '../domain/webhook/challenge/latestChallenge.ts';
import { endpointHealths, type EndpointHealth } from '../domain/webhook/endpoint/endpointHealth.ts';
import { webhookEndpointsOf } from '../domain/webhook/endpoint/ownWebhookEndpoint.ts';
import { WebhookEndpoint } from '../domain/webhook/endpoint/WebhookEndpoint.ts';
import { attemptsOf, lastAttemptsOf, type Attempt, type LastAttempt } from '../domain/webhook/history/attemptsOf.ts';
import { receiverChecksOf, type ReceiverCheck } from '../domain/webhook/receiver-check/receiverChecks.ts';

type OwnerKey = { readonly operatorId: string; readonly now: Date };
type ViewerKey = OwnerKey & { readonly roles: readonly Role[] };
type ProfileKey = { readonly integrationId: string; readonly version: number };

/** Makes the loaders of a request. Each sends one query per kind, however many objects ask (no N+1). */
export function createLoaders(em: EntityManager) {
  let own: Promise<readonly IntegrationFacts[]> = Promise.resolve([]);
  const ofOwner = new DataLoader<OwnerKey, readonly IntegrationFacts[], string>(
    (keys) =>
      Promise.all(
        keys.map(({ operatorId, now }) => {
          own = readOwnFacts(em, operatorId, now);
          return own;
        }),
      ),
    { cacheKeyFn: ({ operatorId }) => operatorId },
  );
  /**
   * All ask about the same moment, that of the request. While everything is being read that somebody has, those of a page wait, since most of
   * them are found in it.
   */
  const attentionFacts = new DataLoader<{ readonly id: string; readonly now: Date }, IntegrationFacts, string>(
    async (keys) => {
      const wanted = new Set(keys.map(({ id }) => id));
      const owned = (await own.catch(() => [])).filter(({ id }) => wanted.has(id));
      for (const { id } of owned) wanted.delete(id);
      const others = wanted.size === 0 ? [] : await readFacts(em, [...wanted], keys[0]?.now ?? new Date(0));
      const found = new Map([...owned, ...others].map((facts) => [facts.id, facts]));
      return keys.map(({ id }) => found.get(id) ?? new Error('No such integration'));
    },
    { cacheKeyFn: ({ id }) => id, batchScheduleFn: (dispatch) => void turn().then(dispatch) },
  );
  const ownAttention = new DataLoader<ViewerKey, AttentionItem[], string>(
    (keys) => Promise.all(keys.map((key) => ownersAttention(em, key, ofOwner.load(key)))),
    { cacheKeyFn: ({ operatorId }) => operatorId },
  );
  return {
    profile: new DataLoader<ProfileKey, ProfileVersion, string>(
      async (keys) => {
        // Two lists take the ORM less time than as many pairs, and find at most a few versions that nobody asked for.
        const wanted = { integrationId: { $in: keys.map((key) => key.integrationId) }, version: { $in: keys.map((key) => key.version) } };
        const rows = await em.find(ProfileVersion, wanted);
        return keys.map(
          (key) =>
            rows.find((row) => row.integrationId === key.integrationId && row.version === key.version) ??
            new Error('No such profile version'),
        );
      },
      { cacheKeyFn: ({ integrationId, version }) => `${integrationId} ${version}` },
    ),
    logo: new DataLoader<string, Logo>(async (ids) => {
      const rows = await em.find(Logo, { id: { $in: [...ids] } });
      return ids.map((id) => rows.find((row) => row.id === id) ?? new Error('No such logo'));
    }),
    clients: new DataLoader<string, Client[]>(async (ids) => {
      const rows = await em.find(Client, { integrationId: { $in: [...ids] } }, { orderBy: { number: 'asc' } });
      return ids.map((id) => rows.filter((row) => row.integrationId === id));
    }),
    /** All ask about the same moment, that of the request. */
    nextKeyName: new DataLoader<{ readonly client: Client; readonly now: Date }, string, string>(
      (keys) =>
        nextKeyNames(
          em,
          keys.map(({ client }) => client),
          keys[0]?.now ?? new Date(0),
        ),
      { cacheKeyFn: ({ client }) => client.id },
    ),
    certificatesInUse: new DataLoader<number, Certificate[]>((numbers) => certificatesInUse(em, numbers)),
    /** All ask about the same moment, that of the request. */
    certificateRenewals: new DataLoader<{ readonly id: string; readonly now: Date }, CertificateRenewal[], string>(
      (keys) =>
        renewalsOf(
          em,
          keys.map(({ id }) => id),
          keys[0]?.now ?? new Date(0),
        ),
      { cacheKeyFn: ({ id }) => id },
    ),
    p12Package: new DataLoader<string, P12Package | null>(async (ids) => {
      const rows = await p12Packages(em, ids);
      return ids.map((id) => rows.find(({ certificateId }) => certificateId === id) ?? null);
    }),
    operator: new DataLoader<string, OperatorRecord>(async (ids) => {
      const rows = await operatorsById(em, ids);
      return ids.map((id) => rows.find((row) => row.id === id) ?? new Error('No such operator'));
    }),
    name: new DataLoader<string, string | null>((ids) => namesOf(em, ids)),
    integrationCount: new DataLoader<string, number>((ids) => integrationCounts(em, ids)),
    certificateLastUsed: new DataLoader<string, Date | null>((ids) => certificatesLastUsed(em, ids)),
    activity: new DataLoader<number, ClientActivity>((numbers) => clientActivities(em, numbers)),
    /** All ask about the same moment, that of the request. */
    traffic: new DataLoader<{ readonly clientNumber: number; readonly now: Date }, HourOfTraffic[], number>(
      (keys) =>
        trafficOf(
          em,
          keys.map(({ clientNumber }) => clientNumber),
          keys[0]?.now ?? new Date(0),
        ),
      { cacheKeyFn: ({ clientNumber }) => clientNumber },
    ),
    quotaOverrides: new DataLoader<number, QuotaOverride[]>((numbers) => quotaOverridesOf(em, numbers)),
    /** It may be asked for by any key, because there is only one. */
    serviceGate: new DataLoader<'service', ProductionGate>(async (keys) => {
      const gate = await serviceGate(em);
      return keys.map(() => gate);
    }),
    /** All ask about the same moment, that of the request. */
    outstandingDeletions: new DataLoader<{ readonly integrationId: string; readonly now: Date }, OutstandingDeletions, string>(
      (keys) => {
        const ids = keys.map(({ integrationId }) => integrationId);
        return outstandingDeletions(em, ids, keys[0]?.now ?? new Date(0));
      },
      { cacheKeyFn: ({ integrationId }) => integrationId },
    ),
    attentionFacts,
    /** What is known about everything that an owner has, but what is over. */
    ownFacts: ofOwner,
    /** A request has one viewer, whose list and number are made of the same. */
    viewerAttention: new DataLoader<ViewerKey, AttentionItem[], string>(
      (keys) => Promise.all(keys.map(async (key) => viewerAttention(em, key, await ownAttention.load(key)))),
      { cacheKeyFn: ({ operatorId }) => operatorId },
    ),
    attentionSum: new DataLoader<ViewerKey, AttentionSum, string>(
      (keys) => Promise.all(keys.map(async (key) => attentionSum(em, key, await ownAttention.load(key)))),
      { cacheKeyFn: ({ operatorId }) => operatorId },
    ),
    reviewTurn: new DataLoader<string, ReviewRole | null>((ids) => reviewTurns(em.fork(), ids)),
    /** All ask about the same moment, that of the request. */
    submissionChecks: new DataLoader<CheckedVersion & { readonly now: Date }, SubmissionCheck[], string>(
      (keys) => submissionChecksOf(em.fork(), keys, keys[0]?.now ?? new Date(0)),
      { cacheKeyFn: ({ integrationId, version, reviewUrl }) => `${integrationId} ${version} ${reviewUrl ?? ''}` },
    ),
    missingForReview: new DataLoader<string, string | null>((ids) => missingForReview(em, ids)),
    submissionDraft: new DataLoader<string, SubmissionDraft | null>((ids) => draftsOf(em.fork(), ids)),
    /** All ask about the same moment, that of the request. */
    queuePlace: new DataLoader<{ readonly id: string; readonly now: Date }, QueuePlace | null, string>(
      (keys) =>
        queuePlaces(
          em.fork(),
          keys.map(({ id }) => id),
          keys[0]?.now ?? new Date(0),
        ),
      { cacheKeyFn: ({ id }) => id },
    ),
    timeline: new DataLoader<string, TimelineEntry[]>((ids) => statusTimelines(em, ids)),
    latestSteps: new DataLoader<string, TimelineEntry[]>((ids) => latestSteps(em, ids)),
    suspendedFor: new DataLoader<string, SuspensionCause | null>(async (ids) => {
      const causes = await causesOfSuspension(em, ids);
      return ids.map((id) => causes.get(id) ?? null);
    }),
    integration: new DataLoader<string, Integration>(async (ids) => {
      const rows = await em.fork().find(Integration, { id: { $in: [...ids] } });
      return ids.map((id) => rows.find((row) => row.id === id) ?? new Error('No such integration'));
    }),
    earlierSubmissions: new DataLoader<NumberedSubmission, ReviewSubmission[], string>((keys) => earlierSubmissions(em.fork(), keys), {
      cacheKeyFn: ({ integrationId, number }) => `${integrationId} ${number}`,
    }),
    reviewVerdicts: new DataLoader<string, ReviewVerdict[]>((ids) => verdictsOf(em.fork(), ids)),
    /** All ask for the same reviewer, whose request it is. */
    reviewDrafts: new DataLoader<{ readonly submissionId: string; readonly reviewerId: string }, ReviewDraft[], string>(
      (keys) =>
        reviewDraftsOf(
          em,
          keys[0]?.reviewerId ?? '',
          keys.map(({ submissionId }) => submissionId),
        ),
      { cacheKeyFn: ({ submissionId }) => submissionId },
    ),
    /** All ask about the same moment, that of the request. */
    reviewVisits: new DataLoader<{ readonly submissionId: string; readonly now: Date }, ReviewVisit[], string>(
      (keys) =>
        visitsOf(
          em,
          keys.map(({ submissionId }) => submissionId),
          keys[0]?.now ?? new Date(0),
        ),
      { cacheKeyFn: ({ submissionId }) => submissionId },
    ),
    /** Whose notes they are. */
    formerNotes: new DataLoader<string, FormerNotes[]>((ids) => Promise.all(ids.map((id) => formerNotes(em, id)))),
    /** All ask for the same reviewer. */
    judgedPoints: new DataLoader<{ readonly submissionId: string; readonly reviewerId: string }, JudgedPoints, string>(
      (keys) =>
        judgedPoints(
          em,
          keys[0]?.reviewerId ?? '',
          keys.map(({ submissionId }) => submissionId),
        ),
      { cacheKeyFn: ({ submissionId }) => submissionId },
    ),
    reviewMessages: new DataLoader<string, ReviewMessage[]>((ids) => messagesOf(em.fork(), ids)),
    reviewerEmail: new DataLoader<string, string | null>((ids) => reviewerEmails(em.fork(), ids)),
    evidence: new DataLoader<string, Evidence[]>((ids) => evidenceOf(em.fork(), ids)),
    businessModelReports: new DataLoader<string, BusinessModelReport[]>((ids) => businessModelReportsOf(em.fork(), ids)),
    commercialAgreements: new DataLoader<string, CommercialAgreement[]>((ids) => commercialAgreementsOf(em.fork(), ids)),
    corpus: new DataLoader<number, SandboxCorpus | null>(async (numbers) => {
      const rows = await em.find(SandboxCorpus, { clientNumber: { $in: [...numbers] } }, { orderBy: { generation: 'desc' } });
      return numbers.map((number) => rows.find((row) => row.clientNumber === number) ?? null);
    }),
    environment: new DataLoader<number, Environment>(async (clientNumbers) => {
      const rows = await em.find(Client, { number: { $in: [...clientNumbers] } });
      return clientNumbers.map((number) => rows.find((row) => row.number === number)?.environment ?? new Error('No such client'));
    }),
    webhookEndpoints: new DataLoader<string, WebhookEndpoint[]>((ids) => webhookEndpointsOf(em, ids)),
    webhookEndpoint: new DataLoader<number, WebhookEndpoint>(async (numbers) => {
      const rows = await em.find(WebhookEndpoint, { number: { $in: [...numbers] } });
      return numbers.map((number) => rows.find((row) => row.number === number) ?? new Error('No such endpoint'));
    }),
    /** By the endpoint and its present URL. */
    challenge: new DataLoader<{ readonly number: number; readonly url: string }, WebhookChallenge | null, number>(
      (endpoints) => latestChallenges(em, endpoints),
      { cacheKeyFn: ({ number }) => number },
    ),
    endpointHealth: new DataLoader<number, EndpointHealth>((numbers) => endpointHealths(em, numbers)),
    /** All ask about the same moment, that of the request. */
    receiverCheck: new DataLoader<{ readonly endpointNumber: number; readonly now: Date }, ReceiverCheck | null, number>(
      (keys) =>
        receiverChecksOf(
          em,
          keys.map(({ endpointNumber }) => endpointNumber),
          keys[0]?.now ?? new Date(0),
        ),
      { cacheKeyFn: ({ endpointNumber }) => endpointNumber },
    ),
    deliveryAttempts: new DataLoader<number, Attempt[]>((numbers) => attemptsOf(em, numbers)),
    lastAttempt: new DataLoader<number, LastAttempt | null>((numbers) => lastAttemptsOf(em, numbers)),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;
