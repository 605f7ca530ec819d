import { timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import type { Environment } from '../../shared/environment.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { certificateLimits } from '../certificateLimits.ts';
import { locking, takeLock } from '../../shared/locks.ts';
import { claimTokenHmac } from '../../shared/lookupKeys.ts';
import { sql } from '../../shared/sql.ts';
import type { CertificateStatus } from '../certificateStatus.ts';
import { type CertificateOwner, lockCertificate } from '../revokeCertificate.ts';
import { hasClaimTokenForm } from './claimTokens.ts';
import { endP12 } from './endP12.ts';
import { p12Lifecycle, type P12Status } from './package/p12Status.ts';
import { withdrawP12Packages } from './package/withdrawP12Packages.ts';
import { openPackage } from './sealPackage.ts';
import { certificateFacts } from '../certificateFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';

const { sets, mayStart } = p12Lifecycle;

const lockPackageSql = locking(
  'p12Package',
  'no key update of p',
  (clause) => `
select p.status, p.claim_token_hmac as "claimTokenHmac", p.sealed, p.claim_until as "claimUntil",
       p.failed_attempts as "failedAttempts", x.status as "certificateStatus", x.key_name as "keyName", k.environment
  from p12_package p join certificate x on x.id = p.certificate_id join client k on k.number = x.client_number
 where p.certificate_id = $1 ${clause}`,
);
type LockedPackage = {
  readonly status: P12Status;
  readonly claimTokenHmac: Buffer;
  readonly sealed: Buffer | null;
  readonly claimUntil: Date | null;
  readonly failedAttempts: number;
  readonly certificateStatus: CertificateStatus;
  readonly keyName: string;
  readonly environment: Environment;
};

const claimSql = `update p12_package set ${sets('claimP12', { sealed: 'null', endedAt: '$2' })} where certificate_id = $1 and ${mayStart('claimP12')}`;
const countSql = `
update p12_package set ${sets('countWrongToken', { failedAttempts: 'failed_attempts + 1' })}
 where certificate_id = $1 and ${mayStart('countWrongToken')}`;

type ClaimP12 = {
  readonly actor: OperatorActor;
  readonly certificateId: string;
  readonly token: string;
  readonly lookupKeys: LookupKeys;
  readonly now: Date;
};

/** What the owner is given, once. */
type ClaimedP12 = { readonly fileName: string; readonly pkcs12: Buffer; readonly password: string };

/**
 * Hands over one of the actor's packages for its claim token, once (docs/specification.md, “P12 packages”). The bytes are removed and the
 * transaction is committed before anything is opened, so that of simultaneous claims exactly one gets them. A wrong token counts, and a
 * claim that comes too late ends the package: both commit although the claim is refused. Errors: not_found, invalid_request (input.token),
 * conflict.
 */
export async function claimP12(em: EntityManager, claim: ClaimP12): Promise<ClaimedP12> {
  const { certificateId, token } = claim;
  if (!hasClaimTokenForm(token))
    refuseInvalid([{ path: 'input.token', message: 'A claim token has 43 letters, digits, dashes and underscores.' }]);
  const verdict = await em.transactional((tx) => judge(tx, claim));
  if ('refused' in verdict) throw verdict.refused;
  const { sealed, environment, keyName } = verdict;
  return { fileName: `${keyName}.p12`, ...(await openPackage(token, { certificateId, environment }, sealed)) };
}

type Verdict = { readonly refused: DomainError } | { readonly sealed: Buffer; readonly environment: Environment; readonly keyName: string };

async function judge(tx: EntityManager, { actor, certificateId, token, lookupKeys, now }: ClaimP12): Promise<Verdict> {
  const owner = await lockCertificate(tx, certificateId, actor.operatorId);
  const [found] = owner ? await takeLock<LockedPackage>(tx, lockPackageSql, [certificateId]) : [];
  if (!owner || !found) throw new DomainError('not_found', { detail: 'There is no such P12 package.' });
  const { status, sealed, claimUntil, claimTokenHmac: expected, certificateStatus, environment, keyName } = found;
  if (status !== 'ready') return { refused: conflict(refusals[status]) };
  if (!sealed || claimUntil === null) throw new Error('A package that is ready has bytes and a time.');
  if (factsIn(certificateFacts, certificateStatus).stage !== 'working') {
    await withdrawP12Packages(tx, [certificateId], now);
    return { refused: conflict(refusals.revoked) };
  }
  if (claimUntil <= now) {
    await endP12(tx, { actor, certificateId, owner, because: 'expired', now });
    return { refused: conflict(refusals.expired) };
  }
  if (!lookupKeys.readable.some((key) => timingSafeEqual(expected, claimTokenHmac(key, certificateId, token)))) {
    return { refused: await countWrongToken(tx, { actor, certificateId, owner, failedAttempts: found.failedAttempts, now }) };
  }
  await sql(tx, claimSql, [certificateId, now]);
  await record(tx, actor, now, { action: 'key_package.claimed', subject: { type: 'certificate', id: certificateId }, ...owner });
  return { sealed, environment, keyName };
}

type WrongToken = Pick<ClaimP12, 'actor' | 'certificateId' | 'now'> & { readonly owner: CertificateOwner; readonly failedAttempts: number };

/** Counts it, and ends the package with the last one. Returns what to answer. */
async function countWrongToken(tx: EntityManager, { actor, certificateId, owner, failedAttempts, now }: WrongToken): Promise<DomainError> {
  const attemptsLeft = certificateLimits.wrongTokensPerP12 - failedAttempts - 1;
  const subject = { type: 'certificate', id: certificateId };
  await record(tx, actor, now, { action: 'key_package.claim_refused', subject, ...owner, details: { attemptsLeft } });
  if (attemptsLeft <= 0) {
    await endP12(tx, { actor, certificateId, owner, because: 'blocked', now });
    return conflict(refusals.blocked);
  }
  await sql(tx, countSql, [certificateId]);
  const left = attemptsLeft === 1 ? 'One attempt is left' : `${attemptsLeft} attempts are left`;
  return new DomainError('invalid_request', {
    fields: [
      {
        path: 'input.token',
        message: `This is not the claim token of this package. ${left}. Only the page that requested the package has the token; if that page is closed, revoke the certificate and request a new package.`,
      },
    ],
  });
}

function conflict(detail: string): DomainError {
  return new DomainError('conflict', { detail });
}

/** Why a package cannot be claimed, with the next step. */
const refusals: Readonly<Record<Exclude<P12Status, 'ready'>, string>> = {
  making: 'The package is not ready yet. Wait until the page shows that it is, then claim it.',
  claimed:
    'This package has already been claimed; each is handed over once. If you did not save it, revoke its certificate and request a new package.',
  expired: 'The package was not claimed within 15 minutes, so it has been removed and its certificate revoked. Request a new package.',
  blocked: 'Too many wrong tokens were entered, so the package has been removed and its certificate revoked. Request a new package.',
  failed: 'The package could not be made. Request a new one.',
  revoked: 'The certificate was revoked before its package was claimed, so the package has been removed. Request a new package.',
};
