import { randomBytes } from 'node:crypto';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { Rows } from './Rows.ts';

type Written = { readonly clientNumber: number; readonly revokedAt: Date };

const day = 24 * 60 * 60 * 1000;

/** The number of an integration's client in the environment; makes a production client where there is none. */
export async function numberOfClient(database: Rows, slug: string, environment: 'sandbox' | 'production' = 'sandbox'): Promise<number> {
  const find = () =>
    database.rows<{ number: number }>(
      'select c.number from client c join integration i on i.id = c.integration_id where i.slug = $1 and c.environment = $2',
      [slug, environment],
    );
  const [found] = await find();
  if (found) return found.number;
  await database.rows(
    `insert into client (id, integration_id, environment, scopes, created_at)
     select $1, i.id, $2, p.requested_scopes, i.created_at from integration i join profile_version p on p.integration_id = i.id and p.version = i.profile_version
      where i.slug = $3`,
    [newId('cli'), environment, slug],
  );
  const [made] = await find();
  if (!made) throw new Error(`There is no integration ${slug}.`);
  await database.rows('insert into client_feed (client_number) values ($1)', [made.number]);
  await database.rows('insert into client_quota (client_number) values ($1)', [made.number]);
  return made.number;
}

/** Makes a connection with `resources` orders, all of which are revoked together. Returns what the operator has to delete. */
export async function revokedConnection(database: Rows, { clientNumber, revokedAt }: Written, resources: number) {
  const [connectionId, revocationId] = [newId('con'), newId('rev')];
  const head = await positions(database, clientNumber, resources + 1);
  await database.rows(
    `insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at)
     values ($1, $2, 'connection', $3, $3, $4, $5)`,
    [clientNumber, revocationId, connectionId, revokedAt, new Date(revokedAt.getTime() + 7 * day)],
  );
  await database.rows(
    `insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at, revocation_id, position)
     values ($1, $2, $3, 1, '{orders.read}', false, $4, $5, $6)`,
    [clientNumber, connectionId, randomBytes(32), revokedAt, revocationId, head],
  );
  for (let n = 1; n <= resources; n += 1)
    await sharedOrder(database, { clientNumber, connectionId, revocationId, at: revokedAt, position: head - n });
  return { connectionId, revocationId };
}

/** Makes an order that is revoked by itself, while its connection goes on. */
export async function revokedOrder(database: Rows, { clientNumber, revokedAt }: Written) {
  const [connectionId, revocationId] = [newId('con'), newId('rev')];
  const head = await positions(database, clientNumber, 2);
  await database.rows(
    `insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
     values ($1, $2, $3, 1, '{orders.read}', false, $4)`,
    [clientNumber, connectionId, randomBytes(32), revokedAt],
  );
  await sharedOrder(database, { clientNumber, connectionId, revocationId: null, at: revokedAt, position: head - 1 });
  const orderId = newId('ord');
  await database.rows(
    `insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at)
     values ($1, $2, 'resource', $3, $4, $5, $6)`,
    [clientNumber, revocationId, orderId, connectionId, revokedAt, new Date(revokedAt.getTime() + 7 * day)],
  );
  await sharedOrder(database, { clientNumber, connectionId, revocationId, at: revokedAt, position: head, id: orderId });
  return { connectionId, revocationId, orderId };
}

/** So many revocations at this time, each to be enforced and none with a resource of its own. */
export async function manyRevocations(database: Rows, { clientNumber, revokedAt }: Written, count: number): Promise<void> {
  await database.rows(
    `insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at)
     select $1, 'rev_' || lpad(n::text, 26, '0'), 'resource', 'ord_x', 'con_x', $2, $3 from generate_series(1, $4::int) n`,
    [clientNumber, revokedAt, new Date(revokedAt.getTime() + 7 * day), count],
  );
}

/** Certificates of a client that were requested in the seconds after its only usable one and are revoked. */
export async function revokedCertificates(database: Rows, clientNumber: number, count: number): Promise<void> {
  await database.rows(
    `insert into certificate (id, client_number, source, status, key_type, requested_at, requested_by, revoked_at, revocation_reason)
     select u.id, client_number, source, 'revoked', key_type, requested_at + make_interval(secs => u.n), requested_by, now(), 'superseded'
       from certificate, unnest($2::text[]) with ordinality u(id, n) where client_number = $1 and slot is not null`,
    [clientNumber, Array.from({ length: count }, () => newId('crt'))],
  );
}

/** Writes down that the deletion was acknowledged. */
export async function acknowledge(database: Rows, revocationId: string, acknowledgedAt: Date, late = false): Promise<void> {
  await database.rows('update revocation set acknowledged_at = $2, acknowledged_late = $3 where id = $1', [
    revocationId,
    acknowledgedAt,
    late,
  ]);
}

type Share = { clientNumber: number; connectionId: string; revocationId: string | null; at: Date; position: number; id?: string };

async function sharedOrder(
  database: Rows,
  { clientNumber, connectionId, revocationId, at, position, id = newId('ord') }: Share,
): Promise<void> {
  await database.rows(
    `insert into shared_resource (client_number, id, connection_id, type, consented, position, updated_at, revocation_id)
     values ($1, $2, $3, 'order', 1, $4, $5, $6)`,
    [clientNumber, id, connectionId, position, at, revocationId],
  );
}

/** Takes the next positions of the feed; returns the last of them. */
async function positions(database: Rows, clientNumber: number, count: number): Promise<number> {
  const [feed] = await database.rows<{ head: string }>('update client_feed set head = head + $2 where client_number = $1 returning head', [
    clientNumber,
    count,
  ]);
  return Number(feed?.head);
}
