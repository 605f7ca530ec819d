import type { Snapshot } from 'svc-operator-kit';
import type { Query, Row, Writes } from './query.ts';

/** Ours beside the feed's: which visitor has linked what, and what we derive from each resource. */
export const tables = `
create table if not exists linked (visitor text not null, connection_id text not null, primary key (visitor, connection_id));
create table if not exists notice (
  resource_id text primary key, revision bigint not null, words text not null, changed_at text not null, exported integer not null default 0
);`;

/** What we make of a resource comes and goes with it, in the transaction of the page that brings or ends it: one statement each. */
export const writes: Writes = {
  upserted: (query, snapshot) =>
    query(
      `insert into notice (resource_id, revision, words, changed_at) values ($1, $2, $3, $4)
       on conflict (resource_id) do update set revision = excluded.revision, words = excluded.words, changed_at = excluded.changed_at, exported = 0`,
      [snapshot.id, snapshot.revision, wordsFor(snapshot), snapshot.updated_at],
    ),
  ended: (query, { id }) => query('delete from notice where resource_id = $1', [id]),
};

function wordsFor({ type, model, status }: Snapshot): string {
  return `${model ?? (type === 'order' ? 'Your order' : 'A vehicle')} is ${status.replaceAll('_', ' ')}`;
}

export type Store = ReturnType<typeof storeOn>;

export function storeOn(query: Query) {
  return {
    link: async (visitor: string, connectionId: string) =>
      query('insert into linked (visitor, connection_id) values ($1, $2) on conflict do nothing', [visitor, connectionId]),
    unlink: async (connectionId: string) => query('delete from linked where connection_id = $1', [connectionId]),
    /** What this visitor has linked, the latest change first. */
    noticesOf: async (visitor: string): Promise<readonly Row[]> =>
      query(
        `select n.resource_id, n.words, n.changed_at from notice n join svc_resource r on r.id = n.resource_id
           join linked l on l.connection_id = r.connection_id where l.visitor = $1 order by n.changed_at desc, n.resource_id limit 500`,
        [visitor],
      ),
    notExported: async (): Promise<readonly Row[]> => query('select * from notice where exported = 0'),
    noteExport: async ({ resource_id: id, revision }: Row) =>
      query('update notice set exported = 1 where resource_id = $1 and revision = $2', [String(id), Number(revision)]),
    noticed: async () => new Set((await query('select resource_id from notice')).map(({ resource_id: id }) => String(id))),
  };
}
