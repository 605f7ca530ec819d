import type { EntityManager } from '@mikro-orm/postgresql';
import { readableClient, type ClientReader } from '../client/ownClient.ts';
import { refuseInvalid } from '../shared/DomainError.ts';
import { hasIdForm } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { placeAfter, timeCursor } from '../shared/timeCursor.ts';
import { Certificate } from './Certificate.ts';

/** Index certificate_client, in its order. `$1` the client, `$2` rows wanted, `$3` to `$5` the last item's place. */
const certificatesSql = (resumed: boolean) => `
  select id from certificate
   where client_no = $1 ${resumed ? 'and ((slot is not null), requested_at, id) < ($3::boolean, $4::timestamptz, $5::text)' : ''}
   order by (slot is not null) desc, requested_at desc, id desc limit $2`;

/**
 * A page of the certificates of a client that the reader may look at (`readableClient`): first what holds one of its two places (pending or usable), then the
 * others, each newest first. `after` is the cursor of a former item. Errors: not_found, invalid_request.
 */
export async function certificates(
  em: EntityManager,
  { reader, clientId, first, after }: { reader: ClientReader; clientId: string; first: number; after: string | null },
): Promise<{ items: readonly Certificate[]; hasNextPage: boolean }> {
  if (first < 1 || first > limits.pageSize) refuseInvalid([{ path: 'first', message: `A page has 1 to ${limits.pageSize} items.` }]);
  const place = after === null ? [] : placeOf(after);
  const { no } = await readableClient(em, reader, clientId);
  const rows = await sql<{ id: string }>(em, certificatesSql(after !== null), [no, first + 1, ...place]);
  const ids = rows.slice(0, first).map(({ id }) => id);
  const found = new Map((await em.find(Certificate, { id: { $in: ids } })).map((certificate) => [certificate.id, certificate]));
  return { items: ids.flatMap((id) => found.get(id) ?? []), hasNextPage: rows.length > first };
}

/** The opaque cursor of an item: its place in the list, which it may have left since. */
export function certificateCursor({ id, slot, requestedAt }: Pick<Certificate, 'id' | 'slot' | 'requestedAt'>): string {
  return timeCursor(requestedAt, typeof slot === 'number' ? 1 : 0, id);
}

function placeOf(cursor: string): readonly [boolean, Date, string] {
  const { at, rest } = placeAfter(cursor, isPlace);
  const [held, id = ''] = rest.split(' ');
  return [held === '1', at, id];
}

function isPlace(rest: string): boolean {
  return /^[01] /.test(rest) && hasIdForm('crt', rest.slice(2));
}

/** What holds the places of each of these clients, in their order: at most two certificates a client, newest first. */
export async function certificatesInUse(em: EntityManager, clientNos: readonly number[]): Promise<Certificate[][]> {
  const held = { clientNo: { $in: [...clientNos] }, slot: { $ne: null } };
  const found = await em.find(Certificate, held, { orderBy: { requestedAt: 'desc', id: 'desc' } });
  return clientNos.map((no) => found.filter(({ clientNo }) => clientNo === no));
}
