import { randomBytes } from 'node:crypto';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { Rows } from './Rows.ts';

type At = { readonly clientNumber: number; readonly at: Date };

/** A new user's connection, which shares nothing yet; returns its id. */
export async function emptyConnection(database: Rows, { clientNumber, at }: At): Promise<string> {
  const id = newId('con');
  await database.rows(
    `insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
     values ($1, $2, $3, 1, '{orders.read}', false, $4)`,
    [clientNumber, id, randomBytes(32), at],
  );
  return id;
}

/** Connections of so many users, the only ones of the client; all share the order that was tracked last. */
export async function manyConnections(database: Rows, { clientNumber, at }: At, count: number): Promise<void> {
  await database.rows(
    `insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
     select $1, 'con_' || n, sha256(n::text::bytea), 1, '{orders.read}', false, $2 from generate_series(1, $3::int) n`,
    [clientNumber, at, count],
  );
  await database.rows(
    `insert into shared_resource (client_number, id, connection_id, tracked_resource_id, type, consented, position, updated_at)
     select $1, 'ord_' || n, 'con_' || n, (select id from tracked_resource order by id desc limit 1), 'order', 1, n, $2
       from generate_series(1, $3::int) n`,
    [clientNumber, at, count],
  );
  await database.rows('update client_feed set head = $2 where client_number = $1', [clientNumber, count]);
}

/** A link code for three resources of the client's sandbox corpus, neither redeemed nor cancelled. */
export async function sandboxLinkCode(database: Rows, { clientNumber, at }: At): Promise<void> {
  await database.rows(
    `with c as (
       insert into link_code (id, environment, client_number, code_hmac, user_ref, profile_version, scopes, statistics_opted_in, created_at, expires_at)
       values ($1, 'sandbox', $2, 'x', 'u', 1, '{orders.read}', false, $3, $3) returning id)
     insert into link_code_resource select c.id, t.id from c, tracked_resource t where t.synthetic_for = $2 limit 3`,
    [newId('lnk'), clientNumber, at],
  );
}

/** An `Idempotency-Key` that an acknowledgement has been sent with. */
export async function acknowledgementKey(database: Rows, { clientNumber, at }: At): Promise<void> {
  await database.rows('insert into acknowledgement_key (client_number, key, revocation_id, created_at) values ($1, $2, $3, $4)', [
    clientNumber,
    'k',
    newId('rev'),
    at,
  ]);
}

/** Attempts to redeem link codes that the machine API has counted for the source since then. */
export async function redeemAttempts(
  database: Rows,
  { source, since }: { readonly source: string; readonly since: Date },
  count: number,
): Promise<void> {
  await database.rows('insert into redeem_source (source, window_start, count) values ($1, $2, $3)', [source, since, count]);
}
