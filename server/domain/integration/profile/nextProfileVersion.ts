import type { EntityManager } from '@mikro-orm/postgresql';
import { accountLimits } from '../../account/accountLimits.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { secondsUntil } from '../../shared/secondsUntil.ts';
import { day } from '../../shared/limits.ts';
import type { Integration } from '../Integration.ts';
import { latestAcceptance } from '../terms/acceptTerms.ts';
import { profileDiff, type ProfileChange, type ProfileContent } from './profileDiff.ts';
import { revisableFields } from './profileFields.ts';
import { ProfileVersion } from './ProfileVersion.ts';
import { integrationFacts } from '../integrationFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';
import { isOver } from '../integrationStatus.ts';

type NextProfileVersion = {
  readonly actor: OperatorActor;
  /** Locked by the caller. */
  readonly integration: Integration;
  /** The version that was edited, so that one stored in the meantime is never overwritten. Null: whatever is current. */
  readonly editedVersion: number | null;
  /** Fields that are left out stay as they are. */
  readonly content: Partial<ProfileContent>;
  readonly now: Date;
};

/**
 * Stores the next snapshot of a profile in the caller's transaction and makes it the current one. Content that changes nothing makes no
 * version. Returns the changes. Errors: conflict (under review, retired, edited meanwhile), invalid_request naming each field that may no
 * longer change after approval, rate_limit_exceeded (200 a day for an integration).
 */
export async function nextProfileVersion(
  tx: EntityManager,
  { actor, integration, editedVersion, content, now }: NextProfileVersion,
): Promise<readonly ProfileChange[]> {
  refuseFrozen(integration);
  if (editedVersion !== null && editedVersion !== integration.profileVersion) {
    throw new DomainError('conflict', {
      detail: `Version ${integration.profileVersion} of this profile was saved after you opened version ${editedVersion}. Review that version, then make your change again.`,
    });
  }
  const current = await tx.findOneOrFail(ProfileVersion, { integrationId: integration.id, version: integration.profileVersion });
  const { integrationId, version, createdAt: _, createdBy: __, knownColumns: ___, ...before } = current;
  const after = { ...before, ...content };
  const changes = profileDiff(before, after);
  refuseReviewed(integration, changes);
  if (changes.length === 0) return [];
  await refuseTooMany(tx, current, now);
  const next = {
    integrationId,
    version: version + 1,
    ...(await acceptancesOf(tx, integration, current)),
    minorRevision: integration.reviewedProfileVersion !== null,
    createdAt: now,
    createdBy: actor.operatorId,
  };
  tx.persist(tx.create(ProfileVersion, { ...after, ...next }));
  integration.profileVersion = next.version;
  await tx.flush();
  await record(tx, actor, now, {
    action: 'profile.revised',
    subject: { type: 'integration', id: integration.id },
    integrationId: integration.id,
    details: { version: next.version, fields: changes.map(({ field }) => field).join(' ') },
  });
  return changes;
}

/** Versions are kept for ever, so their number has to be limited. Primary key. */
async function refuseTooMany(tx: EntityManager, { integrationId, version }: ProfileVersion, now: Date): Promise<void> {
  const most = accountLimits.profileVersionsPerIntegrationPerDay;
  const former = await tx.findOne(ProfileVersion, { integrationId, version: version + 1 - most }, { fields: ['createdAt'] });
  if (!former) return;
  const room = new Date(former.createdAt.getTime() + day);
  if (room <= now) return;
  throw new DomainError('rate_limit_exceeded', {
    detail: `At most ${most} versions of a profile can be made a day. Try again later.`,
    retryAfterSeconds: secondsUntil(room, now),
  });
}

type Acceptances = Pick<ProfileVersion, 'termsVersion' | 'attributionAcceptedAt' | 'nonCommercialAcceptedAt'>;

/** What the owner has accepted by now: once there is a newer acceptance, that of the former version is not carried over. */
async function acceptancesOf(tx: EntityManager, { operatorId }: Integration, former: ProfileVersion): Promise<Acceptances> {
  const { termsVersion, attributionAcceptedAt, nonCommercialAcceptedAt } = former;
  const latest = await latestAcceptance(tx, operatorId);
  if (!latest) return { termsVersion, attributionAcceptedAt, nonCommercialAcceptedAt };
  return {
    termsVersion: latest.termsVersion,
    // Both are accepted with the terms, and once more with each new profile.
    attributionAcceptedAt: later(attributionAcceptedAt, latest.acceptedAt),
    nonCommercialAcceptedAt: nonCommercialAcceptedAt ? later(nonCommercialAcceptedAt, latest.acceptedAt) : latest.acceptedAt,
  };
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

function refuseFrozen({ status }: Integration): void {
  if (factsIn(revisableFields, status).length > 0) return;
  throw new DomainError('conflict', {
    detail: factsIn(integrationFacts, status).isInReview
      ? 'This profile is under review. Withdraw the submission or wait for the decision, then change it.'
      : isOver(status)
        ? 'This integration is retired, so its profile cannot be changed.'
        : 'A later release has brought the status of this integration. This one cannot change its profile.',
  });
}

function refuseReviewed({ status }: Integration, changes: readonly ProfileChange[]): void {
  const refused = changes.filter(({ field }) => !factsIn(revisableFields, status).includes(field));
  refuseInvalid(
    refused.map(({ field, label }) => ({
      path: `input.${field}`,
      message: `${label}: this was reviewed and can no longer be changed. Duplicate the profile as a new integration instead.`,
    })),
  );
}
