import { createHash } from 'node:crypto';
import type pg from 'pg';
import { recordAudit } from '../../domain/audit/recordAudit.function.ts';
import { nextKeyName, placeCertificate } from '../../domain/certificate/request/placeCertificate.function.ts';
import { requestCertificate } from '../../domain/certificate/request/requestCertificate.function.ts';
import { lockClientForRenewal, requestRenewal } from '../../domain/certificate/renewal/requestRenewal.function.ts';
import { quotaOrder } from '../../domain/client/quotaOrder.function.ts';
import { countEvidence } from '../../domain/evidence/countEvidence.function.ts';
import { takePositions } from '../../domain/feed/takePositions.function.ts';
import { queueMail } from '../../domain/notification/queueMail.function.ts';
import { forgetAddresses } from '../../domain/programme/forgetAddresses.function.ts';
import { removeEndedCredentials } from '../../domain/retention/endedCredentials.function.ts';
import { newId } from '../../domain/shared/functions/ids.function.ts';
import { endedMoment, presentMoment } from '../../domain/shared/functions/moments.function.ts';
import { setParticipation } from '../../domain/sharing/consent/setParticipation.function.ts';
import { acknowledgeRevocation, lockRevocation } from '../../domain/sharing/deletion/acknowledgeRevocation.function.ts';
import { redeemLinkCode } from '../../domain/sharing/link-code/redeemLinkCode.function.ts';
import { shareResources } from '../../domain/sharing/shareResources.function.ts';
import { dropRequestLogDays, isRecent } from '../../domain/usage/requestLog.function.ts';
import { storeEvents } from '../../domain/outbox/storeEvents.function.ts';

/**
 * The functions of the schema's owner that have rules of the code's in them, each before those that call it: commands call them, and so do
 * those among them that judge for a process that may not write itself (docs/operating.md, “Roles”). They are made from the code's constants,
 * so they are no migrations: every `migrate` replaces them. Their signatures and what they return stay as they are for one more release, since
 * the processes of the release before call them meanwhile (decision 51); one that has to change gets another name.
 */
export const functions: readonly string[] = [
  presentMoment,
  endedMoment,
  isRecent,
  newId,
  quotaOrder,
  dropRequestLogDays,
  removeEndedCredentials,
  forgetAddresses,
  recordAudit,
  queueMail,
  countEvidence,
  storeEvents,
  takePositions,
  shareResources,
  setParticipation,
  nextKeyName,
  placeCertificate,
  requestCertificate,
  lockRevocation,
  acknowledgeRevocation,
  lockClientForRenewal,
  requestRenewal,
  redeemLinkCode,
];

const prefix = 'functions/';

/** What the table `migration` calls the functions of this release, so that a process notices if they were never made. */
export const functionsRevision = `${prefix}${createHash('sha256').update(functions.join('\n')).digest('hex').slice(0, 16)}`;

export function areFunctions(name: string): boolean {
  return name.startsWith(prefix);
}

/** Replaces all of them by those of this release, in one transaction. The session is the owner's. */
export async function replaceFunctions(session: pg.ClientBase): Promise<void> {
  await session.query('begin');
  try {
    for (const made of functions) await session.query(made);
    await session.query("insert into migration (name, checksum) values ($1, '') on conflict do nothing", [functionsRevision]);
    await session.query('commit');
  } catch (error) {
    await session.query('rollback').catch(() => {});
    throw error;
  }
}
