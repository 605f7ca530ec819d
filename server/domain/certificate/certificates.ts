import type { EntityManager } from '@mikro-orm/postgresql';
import { readableClient, type ClientReader } from '../client/ownClient.ts';
import { hasIdForm } from '../shared/ids.ts';
import { timeCursors } from '../shared/lists/cursors.ts';
import { inOrder, page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';
import { Certificate } from './Certificate.ts';

/** Which certificates a list has: those that occupy a slot (pending or usable), those that no longer do, or all of them. */
export const certificateSelections = ['all', 'inUse', 'ended'] as const;
export type CertificateSelection = (typeof certificateSelections)[number];

const conditions = {
  all: '',
  inUse: 'and (slot is not null) = true',
  ended: 'and (slot is not null) = false',
} as const satisfies Record<CertificateSelection, string>;

/** Index certificate_client, in its order. `$1` is the client, `$2` the number of rows, `$3` to `$5` the place of the last item. */
const certificatesSql = (selection: CertificateSelection, resumed: boolean) => `
  select id from certificate
   where client_number = $1 ${conditions[selection]} ${resumed ? 'and ((slot is not null), requested_at, id) < ($3::boolean, $4::timestamptz, $5::text)' : ''}
   order by (slot is not null) desc, requested_at desc, id desc limit $2`;

type Certificates = {
  readonly reader: ClientReader;
  readonly clientId: string;
  readonly selection?: CertificateSelection;
  /** Only this certificate, whatever the selection; null for all. */
  readonly id?: string | null | undefined;
} & PageRequest;

/**
 * A page of the certificates of a client that the reader may see (`readableClient`): first those that occupy one of its slots (pending
 * or usable), then the others, each newest first. Errors: not_found, invalid_request.
 */
export function certificates(
  em: EntityManager,
  { reader, clientId, selection = 'all', id = null, ...request }: Certificates,
): Promise<Page<Certificate>> {
  return page(request, {
    cursors,
    read: async (count, after) => {
      const { number } = await readableClient(em, reader, clientId);
      if (id !== null) return after === null ? await em.find(Certificate, { id, clientNumber: number }) : [];
      const rows = await sql<{ id: string }>(em, certificatesSql(selection, after !== null), [
        number,
        count,
        ...(after ? placeOf(after) : []),
      ]);
      const ids = rows.map((row) => row.id);
      return inOrder(ids, await em.find(Certificate, { id: { $in: ids } }));
    },
  });
}

/** The place of a certificate in the list, which it may have left since. Whether it occupies a slot is written as 1 or 0. */
const cursors = timeCursors(
  ({ requestedAt }: Certificate) => requestedAt,
  ({ slot, id }) => [typeof slot === 'number' ? 1 : 0, id],
  (rest): [boolean, string] | undefined =>
    /^[01] /.test(rest) && hasIdForm('crt', rest.slice(2)) ? [rest.startsWith('1'), rest.slice(2)] : undefined,
);

function placeOf([requestedAt, held, id]: readonly [Date, boolean, string]): readonly [boolean, Date, string] {
  return [held, requestedAt, id];
}

/** The certificates that occupy the slots of each of these clients, in the order of the clients: at most two for each, newest first. */
export async function certificatesInUse(em: EntityManager, clientNumbers: readonly number[]): Promise<Certificate[][]> {
  const held = { clientNumber: { $in: [...clientNumbers] }, slot: { $ne: null } };
  const found = await em.find(Certificate, held, { orderBy: { requestedAt: 'desc', id: 'desc' } });
  return clientNumbers.map((number) => found.filter(({ clientNumber }) => clientNumber === number));
}
