import type { EntityManager } from '@mikro-orm/postgresql';
import { holdAccount } from '../../account/lockCredentials.ts';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';
import { lockTerms } from './lockTerms.ts';
import { TermsAcceptance, TermsVersion } from './TermsVersion.ts';

/** The published version with the highest number. */
export function currentTerms(em: EntityManager): Promise<TermsVersion> {
  return em.findOneOrFail(TermsVersion, { version: { $gt: 0 } }, { orderBy: { version: 'desc' } });
}

/** The operator's acceptance of the highest version that they have accepted, or null. */
export function latestAcceptance(em: EntityManager, operatorId: string): Promise<TermsAcceptance | null> {
  return em.findOne(TermsAcceptance, { operatorId }, { orderBy: { termsVersion: 'desc' } });
}

/** The highest version that the operator has accepted, or null. */
export async function acceptedTermsVersion(em: EntityManager, operatorId: string): Promise<number | null> {
  return (await latestAcceptance(em, operatorId))?.termsVersion ?? null;
}

/** The current version where the operator has accepted only an earlier one; null where there is nothing new to accept. */
export async function termsToAccept(em: EntityManager, operatorId: string): Promise<number | null> {
  const accepted = await acceptedTermsVersion(em, operatorId);
  if (accepted === null) return null;
  const { version } = await currentTerms(em);
  return accepted < version ? version : null;
}

/** The operator's own acceptances, the newest version first. */
export function termsAcceptances(em: EntityManager, operatorId: string): Promise<TermsAcceptance[]> {
  return em.find(TermsAcceptance, { operatorId }, { orderBy: { termsVersion: 'desc' }, limit: limits.pageSize });
}

type AcceptTerms = { actor: OperatorActor; version: number; nonCommercial: boolean; attribution: boolean; now: Date };

/**
 * Records the explicit acceptance of the current terms, with the time and the IP address. Accepting again changes nothing. Errors:
 * invalid_request when the version is not current or a statement is not accepted, unauthenticated (the account is deleted).
 */
export async function acceptTerms(em: EntityManager, { actor, version, nonCommercial, attribution, now }: AcceptTerms): Promise<void> {
  await em.transactional(async (tx) => {
    await holdAccount(tx, actor.operatorId);
    await lockTerms(tx, 'shared');
    const current = await currentTerms(tx);
    refuseInvalid([
      ...(version === current.version
        ? []
        : [{ path: 'input.version', message: `Version ${current.version} of the terms is current. Read and accept that version.` }]),
      ...(nonCommercial ? [] : [{ path: 'input.nonCommercial', message: 'Accept that the standard licence is non-commercial only.' }]),
      ...(attribution ? [] : [{ path: 'input.attribution', message: 'Accept the attribution and app-link rules.' }]),
    ]);
    const accepted = await sql<{ version: number }>(
      tx,
      `insert into terms_acceptance (operator_id, terms_version, accepted_at, ip, non_commercial, attribution) values ($1, $2, $3, $4, $5, $6)
       on conflict (operator_id, terms_version) do nothing returning terms_version as version`,
      [actor.operatorId, version, now, actor.ip, nonCommercial, attribution],
    );
    if (accepted.length === 0) return;
    await record(tx, actor, now, { action: 'terms.accepted', subject: { type: 'terms', id: String(version) } });
  });
}

/**
 * Throws unless the operator has accepted the version that is current now; an earlier acceptance is never carried forward. No newer version
 * can be published until the transaction ends. Errors: conflict.
 */
export async function refuseUnlessTermsAccepted(tx: EntityManager, operatorId: string): Promise<TermsVersion> {
  const missing = await termsNotAccepted(tx, operatorId);
  if (missing !== null) throw new DomainError('conflict', { detail: `Accept version ${missing} of the Integration Terms first.` });
  return currentTerms(tx);
}

/** The current version if the operator has not accepted it, else null. No newer version can be published until the transaction ends. */
export async function termsNotAccepted(tx: EntityManager, operatorId: string): Promise<number | null> {
  await lockTerms(tx, 'shared');
  const { version } = await currentTerms(tx);
  return (await tx.findOne(TermsAcceptance, { operatorId, termsVersion: version })) ? null : version;
}
