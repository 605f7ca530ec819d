import { createHash } from 'node:crypto';
import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { Integration } from '../integration/Integration.ts';
import { lockIntegration } from '../integration/lockIntegration.ts';
import { nextProfileVersion } from '../integration/profile/nextProfileVersion.ts';
import { ProfileVersion } from '../integration/profile/ProfileVersion.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { newId } from '../shared/ids.ts';
import { logoLimits } from './image/logoLimits.ts';
import { secondsUntil } from '../shared/secondsUntil.ts';
import { inspectImage } from './image/inspectImage.ts';
import { LogoRefused } from './image/logoRefusals.ts';
import { makeRenditions } from './image/makeRenditions.ts';
import { WorkingTime } from './image/WorkingTime.ts';
import { Logo } from './Logo.ts';
import { refuseUnlessLogoMayChange } from './logoChange.ts';
import type { Turnstile } from './Turnstile.ts';

type UploadLogo = {
  readonly actor: OperatorActor;
  readonly integrationId: string;
  readonly bytes: Buffer;
  /** Lets the process decode one upload at a time. */
  readonly turnstile: Turnstile;
  /** Aborted when the connection ends: then no further step is taken. */
  readonly hungUp: AbortSignal;
  readonly now: () => Date;
};

/**
 * Makes the uploaded image the logo of the integration's next profile version (docs/specification.md, “Logo”). Only its two renditions are
 * kept. Uploading the current logo again changes nothing. Errors: invalid_request (`logo`, in words), not_found, conflict,
 * rate_limit_exceeded, temporarily_unavailable.
 */
export async function uploadLogo(em: EntityManager, { actor, integrationId, bytes, turnstile, hungUp, now }: UploadLogo): Promise<Logo> {
  const { image, renditions } = await turnstile.pass(actor.operatorId, () => decode(bytes, new WorkingTime(hungUp)));
  const sourceSha256 = createHash('sha256').update(bytes).digest();
  return em.transactional(
    async (tx) => {
      const integration = await lockIntegration(tx, integrationId, actor.operatorId);
      refuseUnlessLogoMayChange(integration);
      const present = await presentLogo(tx, integration);
      if (present && sourceSha256.equals(present.sourceSha256)) return present;
      const at = now();
      await refuseTooMany(tx, integration, at);
      const logo = tx.create(Logo, {
        id: newId('lgo'),
        integrationId,
        sourceFormat: image.format,
        sourceSha256,
        width: renditions.width,
        height: renditions.height,
        rendition256: renditions.pictures[256],
        rendition512: renditions.pictures[512],
        createdAt: at,
        createdBy: actor.operatorId,
      });
      tx.persist(logo);
      await tx.flush();
      await nextProfileVersion(tx, { actor, integration, editedVersion: null, content: { logoId: logo.id }, now: at });
      await record(tx, actor, at, {
        action: 'logo.uploaded',
        subject: { type: 'logo', id: logo.id },
        integrationId,
        details: { format: image.format, width: logo.width, height: logo.height, profileVersion: integration.profileVersion },
      });
      return logo;
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}

async function presentLogo(tx: EntityManager, { id, profileVersion }: Integration): Promise<Logo | null> {
  const { logoId } = await tx.findOneOrFail(ProfileVersion, { integrationId: id, version: profileVersion });
  return logoId ? tx.findOne(Logo, { id: logoId }) : null;
}

async function decode(bytes: Buffer, time: WorkingTime) {
  try {
    time.check();
    const image = await inspectImage(bytes, time);
    return { image, renditions: await makeRenditions(image, time) };
  } catch (error) {
    if (!(error instanceof LogoRefused)) throw error;
    throw new DomainError('invalid_request', { fields: [{ path: 'logo', message: error.message }] });
  }
}

/** Logos are kept as long as a profile version names them, so their number has to be limited. Reads index logo_integration. */
async function refuseTooMany(tx: EntityManager, { id }: Integration, now: Date): Promise<void> {
  const hour = 3_600_000;
  const recent = await tx.find(
    Logo,
    { integrationId: id, createdAt: { $gt: new Date(now.getTime() - hour) } },
    { fields: ['createdAt'], orderBy: { createdAt: 'asc' } },
  );
  const [oldest] = recent;
  if (!oldest || recent.length < logoLimits.logosPerHour) return;
  throw new DomainError('rate_limit_exceeded', {
    detail: `At most ${logoLimits.logosPerHour} logos an hour can be uploaded for one integration. Try again later.`,
    retryAfterSeconds: secondsUntil(new Date(oldest.createdAt.getTime() + hour), now),
  });
}
