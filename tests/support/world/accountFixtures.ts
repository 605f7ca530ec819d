import { tokenHash, verificationToken } from '../../../server/domain/account/address/linkToken.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { Rows } from './Rows.ts';
import type { World } from './World.ts';

/** Operators with these addresses, registered just now and without passkeys. */
export async function operators(database: Rows, emails: readonly string[]): Promise<void> {
  await database.rows(
    `insert into operator (id, email, email_key, user_handle, created_at)
     select u.id, u.email, u.email, sha256(convert_to(u.email, 'UTF8')), now() from unnest($1::text[], $2::text[]) u(id, email)`,
    [emails.map(() => newId('opr')), emails],
  );
}

type NewSession = { readonly kind?: 'full' | 'enrolment'; readonly operatorId?: string; readonly email: string; readonly at: Date };

/** A session that began at this time: full for 8 hours, or for 20 minutes for someone who is still to add a passkey. */
export async function portalSession(database: Rows, { kind = 'full', operatorId, email, at }: NewSession): Promise<void> {
  await database.rows(
    `insert into portal_session (id, kind, operator_id, email, rotated_at, created_at, last_used_at, expires_at, ip, user_agent)
     values ($1, $2, $3, $4, $5, $5, $5, $5::timestamptz + $6::interval, '192.0.2.1', 'x')`,
    [newId('ses'), kind, operatorId ?? null, email, at, kind === 'full' ? '8 hours' : '20 minutes'],
  );
}

/** Further passkeys of an operator, copies of the only one. */
export async function furtherPasskeys(database: Rows, operatorId: string, count: number): Promise<void> {
  await database.rows(
    `insert into passkey (id, operator_id, name, public_key, counter, transports, device_type, backed_up, aaguid, created_at)
     select 'filler-' || n || operator_id, operator_id, 'Filler', public_key, 0, transports, device_type, backed_up, aaguid, created_at
       from passkey, generate_series(1, $2::int) n where operator_id = $1`,
    [operatorId, count],
  );
}

/** Attempts of this kind that the portal has counted for the source since then. */
export async function countedAttempts(
  database: Rows,
  { kind, source, since }: { readonly kind: string; readonly source: string; readonly since: Date },
  count: number,
): Promise<void> {
  await database.rows('insert into attempt_window (kind, source, window_start, count) values ($1, $2, $3, $4)', [
    kind,
    source,
    since,
    count,
  ]);
}

type NewLink = { readonly purpose: string; readonly email: string; readonly operatorId: string; readonly at: Date };

/** A verification link of 20 minutes; returns its id. */
export async function verificationLink(
  database: Pick<World, 'rows' | 'keyRing'>,
  { purpose, email, operatorId, at }: NewLink,
): Promise<string> {
  const id = newId('lnk');
  await database.rows(
    `insert into verification_link (id, purpose, token_hash, email, email_key, operator_id, ip, created_at, expires_at)
     values ($1, $2, $3, $4, $4, $5, '192.0.2.1', $6::timestamptz, $6::timestamptz + interval '20 minutes')`,
    [id, purpose, tokenHash(verificationToken(database.keyRing.verification_link.current, id)), email, operatorId, at],
  );
  return id;
}
