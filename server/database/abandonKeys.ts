import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../domain/audit/record.ts';
import { goOnWithFormer } from '../domain/certificate/authority/revokeAuthorities.ts';
import type { Actor } from '../domain/shared/actor.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { lockAdvisory, noteLock } from '../domain/shared/locks.ts';
import { sql } from '../domain/shared/sql.ts';
import { endSuppliedShares, suppliedShares, type SuppliedShares } from '../domain/sharing/revocation/endSuppliedShares.ts';
import { keyId, unwrapKey, type WrappingKeys } from '../platform/keyStore.ts';

type Abandoning = { readonly keys: WrappingKeys; readonly actor: Actor; readonly now: Date };

/** What is about to be given up, before anything is: secrets that no key opens, and what ends with them. */
export type LostRing = { readonly secrets: number; readonly sessions: number; readonly recoveryCodes: number } & SuppliedShares;
/** Authorities by their identifiers, requests for authorities, and keys of deliveries. */
export type LostSigning = { readonly authorities: readonly string[]; readonly requests: number; readonly deliveryKeys: number };

type Secret = { readonly id: string; readonly purpose: string; readonly wrapped: Buffer };

/** How many secrets were given up, and what ended with them. */
export type AbandonedRing = {
  readonly secrets: number;
  readonly sessions: number;
  readonly connections: number;
  readonly resources: number;
};

const ringSql = 'select id, purpose, wrapped from key_ring_entry order by id';

/**
 * Gives up the entries of the key ring that no key of this terminal opens, so that processes start again with a new MASTER_KEY and make new
 * ones (docs/specification.md, “Keys at rest”). What only those entries could read ends with them: sessions, recovery codes, and, with the
 * names of users and orders, everything that is shared. The entries go last, so that it can be repeated if it breaks off. `agree` is told
 * before anything changes, and may throw. Errors: conflict (every entry opens).
 */
export async function abandonKeyRing(
  em: EntityManager,
  { keys, actor, now, agree }: Abandoning & { readonly agree?: (lost: LostRing) => void },
): Promise<AbandonedRing> {
  const lost = lostOf(await sql<Secret>(em, ringSql), keys);
  const purposes = new Set(lost.map(({ purpose }) => purpose));
  agree?.(await lostRing(em, lost.length, purposes));
  const ended = purposes.has('lookup') ? await endSuppliedShares(em, { actor, now }) : { connections: 0, resources: 0 };
  return em.transactional(async (tx) => {
    noteLock(tx, 'session');
    const sessions = purposes.has('session')
      ? await sql(tx, "update portal_session set ended_at = $1, end_reason = 'its key was lost' where ended_at is null returning 1", [now])
      : [];
    if (purposes.has('lookup')) await sql(tx, 'delete from recovery_code where used_at is null');
    noteLock(tx, 'keyRing');
    await sql(tx, 'delete from key_ring_entry where id = any($1)', [lost.map(({ id }) => id)]);
    const done = { secrets: lost.length, sessions: sessions.length, ...ended };
    await record(tx, actor, now, {
      action: 'wrapping_key.abandoned',
      subject: { type: 'wrapping_key', id: keyId(keys.current) },
      details: { variable: keys.variable, ...done },
    });
    return done;
  });
}

async function lostRing(em: EntityManager, secrets: number, purposes: ReadonlySet<string>): Promise<LostRing> {
  const count = async (text: string) => (await sql<{ count: number }>(em, `select count(*)::int as count from ${text}`))[0]?.count ?? 0;
  const lookup = purposes.has('lookup');
  return {
    secrets,
    sessions: purposes.has('session') ? await count('portal_session where ended_at is null') : 0,
    recoveryCodes: lookup ? await count('recovery_code where used_at is null') : 0,
    ...(lookup ? await suppliedShares(em) : { connections: 0, resources: 0, slugs: [] }),
  };
}

/** What was given up of the keys that sign: authorities by their identifiers, and how many keys of deliveries. */
export type AbandonedSigning = { readonly authorities: readonly string[]; readonly deliveryKeys: number };

type SigningSecret = Secret & { readonly held: 'authority' | 'request' | 'delivery_key' };

const signingSql = `
select id, 'certificate_authority' as purpose, wrapped_key as wrapped, 'authority' as held from certificate_authority where wrapped_key is not null
union all select id, 'certificate_authority', wrapped_key, 'request' from issuing_authority_request
union all select id, 'webhook_signing_key', wrapped_key, 'delivery_key' from webhook_signing_key where wrapped_key is not null`;

/**
 * Gives up the private keys that no key of this terminal opens, so that workers start again with a new SIGNING_KEY and authorities can be
 * requested and imported. The authorities stay trusted, and what they have issued stays valid, but they issue nothing more and their
 * revocation lists can no longer be made. Keys that signed deliveries stay published as former ones. `agree` is told before anything
 * changes, and may throw. Errors: conflict (every key opens).
 */
export async function abandonSigningKeys(
  em: EntityManager,
  { keys, actor, now, agree }: Abandoning & { readonly agree?: (lost: LostSigning) => void },
): Promise<AbandonedSigning> {
  return em.transactional(async (tx) => {
    noteLock(tx, 'authority');
    await lockAdvisory(tx, 'authorities', 'exclusive');
    await lockAdvisory(tx, 'signingKeys', 'exclusive');
    const lost = lostOf(await sql<SigningSecret>(tx, signingSql), keys);
    const ids = lost.map(({ id }) => id);
    const of = (table: SigningSecret['held']) => lost.flatMap(({ held, id }) => (held === table ? [id] : []));
    agree?.({ authorities: of('authority'), requests: of('request').length, deliveryKeys: of('delivery_key').length });
    const authorities = await sql<{ id: string }>(
      tx,
      `update certificate_authority set wrapped_key = null, retired_at = case kind when 'issuing' then least(retired_at, $2) else retired_at end
        where id = any($1) returning id`,
      [ids, now],
    );
    await goOnWithFormer(tx, now);
    await sql(tx, 'delete from issuing_authority_request where id = any($1)', [ids]);
    const signed = await sql(
      tx,
      'update webhook_signing_key set wrapped_key = null, retired_at = $2 where id = any($1) and signs_from is not null returning 1',
      [ids, now],
    );
    const waiting = await sql(tx, 'delete from webhook_signing_key where id = any($1) and signs_from is null returning 1', [ids]);
    const done = { authorities: authorities.map(({ id }) => id), deliveryKeys: signed.length + waiting.length };
    await record(tx, actor, now, {
      action: 'wrapping_key.abandoned',
      subject: { type: 'wrapping_key', id: keyId(keys.current) },
      details: { variable: keys.variable, secrets: ids.length },
    });
    return done;
  });
}

/** Those that no key opens. A secret that opens is never given up. */
function lostOf<Each extends Secret>(secrets: readonly Each[], keys: WrappingKeys): Each[] {
  const lost = secrets.filter(({ purpose, wrapped }) => {
    try {
      unwrapKey(keys, purpose, wrapped);
      return false;
    } catch {
      return true;
    }
  });
  if (lost.length === 0) {
    throw new DomainError('conflict', { detail: `${keys.variable} of this terminal opens every secret. There is nothing to give up.` });
  }
  return lost;
}
