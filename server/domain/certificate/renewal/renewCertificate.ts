import type { EntityManager } from '@mikro-orm/postgresql';
import { factsOf, type IntegrationStatus, isOver } from '../../integration/integrationStatus.ts';
import { commonNameOf } from '../../client/commonName.ts';
import type { ClientActor } from '../../shared/actor.ts';
import type { Clock } from '../../shared/clock.ts';
import { DomainError } from '../../shared/DomainError.ts';
import type { Environment } from '../../shared/environment.ts';
import { noteLock } from '../../shared/locks.ts';
import { sql } from '../../shared/sql.ts';
import { csrRefusals } from '../csr/csrRefusals.ts';
import { type AcceptedCsr, checkCsrDer } from '../csr/csrRules.ts';
import { hasFreeSlot, noSlot, wasCertifiedBefore } from '../request/placeRequest.ts';
import { renewableFrom } from './requestRenewal.function.ts';
import { counts } from '../certificateStatus.ts';

type RenewCertificate = { readonly actor: ClientActor; readonly csrDer: Buffer; readonly clock: Clock };

/** What has become of a renewal. Nothing has changed if it came too early, or if the request itself is refused, in words. */
type Renewal =
  | { readonly state: 'issued'; readonly pem: string }
  | { readonly state: 'pending'; readonly requestedAt: Date }
  | { readonly state: 'early'; readonly from: Date }
  | { readonly state: 'refused'; readonly message: string };

/**
 * Takes a request for the successor of the certificate that the client calls with, and says what has become of it; the same request again
 * gets the same certificate (docs/specification.md, “Renewal without a person”). Errors: those of admission for the certificate and the
 * integration, renewal_not_enabled, certificate_limit_reached.
 */
export async function renewCertificate(em: EntityManager, asked: RenewCertificate): Promise<Renewal> {
  const { actor, csrDer, clock } = asked;
  // Judging a key takes a while: nothing is locked meanwhile, and it is not done for what is answered without it.
  const seen = await callerOf(em, actor);
  // Before the answer, so that the same request, stored in between, is found and not refused for the slot that it has taken.
  const isFree = await hasFreeSlot(em, seen.clientNumber, clock.now());
  const answer = await answerBefore(em, seen, asked);
  if (answer) return answer;
  if (!isFree) throw noSlot();
  const verdict = await checkCsrDer(csrDer, commonNameOf({ ...seen, id: actor.clientId }));
  if (!verdict.accepted) return { state: 'refused', message: verdict.message };
  try {
    return await em.transactional((tx) => store(tx, asked, verdict));
  } catch (error) {
    if (wasCertifiedBefore(error)) return usedBefore;
    throw error;
  }
}

async function store(tx: EntityManager, asked: RenewCertificate, { csrDer, publicKeyDer, keyType }: AcceptedCsr): Promise<Renewal> {
  const { actor, clock } = asked;
  noteLock(tx, 'client');
  await sql(tx, 'select lock_client_for_renewal($1)', [actor.clientId]);
  const answer = await answerBefore(tx, await callerOf(tx, actor), asked);
  if (answer) return answer;
  const now = clock.now();
  noteLock(tx, 'certificate');
  const parameters = [actor.clientId, actor.certificateId, csrDer, publicKeyDer, keyType, actor.requestId, actor.ip, now];
  const [stored] = await sql<{ id: string | null }>(tx, requestRenewalSql, parameters);
  if (!stored?.id) throw noSlot();
  return { state: 'pending', requestedAt: now };
}

/** What is answered whatever the request's key is, or null. Errors: those of `refuseCaller`. */
async function answerBefore(em: EntityManager, caller: Caller, { actor, csrDer, clock }: RenewCertificate): Promise<Renewal | null> {
  const now = clock.now();
  refuseCaller(caller, now);
  const former = await requestedBefore(em, caller.clientNumber, csrDer);
  if (former) return former.id === actor.certificateId || former.status === 'revoked' ? usedBefore : renewalOf(former);
  const from = new Date(Math.ceil(caller.renewableFrom));
  return now < from ? { state: 'early', from } : null;
}

const usedBefore: Renewal = { state: 'refused', message: csrRefusals.keyUsedBefore() };

/**
 * A function of the database's, because the machine API may not make certificates, jobs or mails itself (docs/operating.md, “Roles”). It judges
 * everything again but the request's own form, takes one of the client's slots, queues the issuance, and tells the trail and the owner.
 */
const requestRenewalSql = `select request_renewal($1, $2, $3, $4, $5, $6, $7::inet, $8::timestamptz) as id`;

type Caller = {
  readonly clientNumber: number;
  readonly environment: Environment;
  readonly renewalByEst: boolean;
  readonly integrationStatus: IntegrationStatus;
  readonly status: string;
  /** In milliseconds and parts of one, because it is rounded up. */
  readonly renewableFrom: number;
  readonly usableUntil: Date;
};

/** Asked again after the client's lock, because that may have waited for a change of the status or of the switch. */
const callerSql = `
select k.number as "clientNumber", k.environment, k.renewal_by_est as "renewalByEst", i.status as "integrationStatus", x.status,
       (extract(epoch from ${renewableFrom('x')}) * 1000)::float8 as "renewableFrom",
       x.usable_until as "usableUntil"
  from client k join integration i on i.id = k.integration_id join certificate x on x.client_number = k.number
 where k.id = $1 and x.id = $2`;

async function callerOf(em: EntityManager, { clientId, certificateId }: ClientActor): Promise<Caller> {
  const [caller] = await sql<Caller>(em, callerSql, [clientId, certificateId]);
  if (!caller) throw new DomainError('internal_error');
  return caller;
}

/** Admission has checked all but the switch, in this order; it is checked again because a lock may have been waited for. */
function refuseCaller({ environment, status, usableUntil, integrationStatus, renewalByEst }: Caller, now: Date): void {
  const { refusal, renewals } = factsOf(integrationStatus, environment);
  if (refusal !== null && isOver(integrationStatus)) throw new DomainError(refusal);
  if (status === 'revoked') throw new DomainError('client_certificate_revoked');
  if (usableUntil <= now) throw new DomainError('client_certificate_expired');
  if (refusal !== null) throw new DomainError(refusal);
  if (!renewalByEst || renewals !== 'yes') throw new DomainError('renewal_not_enabled');
}

type Former = {
  readonly id: string;
  readonly status: 'pending' | 'issued' | 'revoked';
  readonly pem: string | null;
  readonly requestedAt: Date;
};

/** By certificate_client: a client has few certificates. A failed issuance leaves its request free to be sent again. */
const formerSql = `
select id, status, pem, requested_at as "requestedAt"
  from certificate where client_number = $1 and source = 'est' and csr_der = $2 and ${counts()}`;

async function requestedBefore(em: EntityManager, clientNumber: number, csrDer: Buffer): Promise<Former | undefined> {
  const [former] = await sql<Former>(em, formerSql, [clientNumber, csrDer]);
  return former;
}

function renewalOf({ pem, requestedAt }: Former): Renewal {
  return pem === null ? { state: 'pending', requestedAt } : { state: 'issued', pem };
}
