import { feedOn, type Feed } from './Feed.ts';
import type { Checkpoint, Deletion, FeedStore, ResourceRow } from './FeedStore.ts';
import type { Handlers } from './Handlers.ts';
import { runAwaiting } from './steps.ts';

/** A client of `pg`, or anything that answers as it does. */
export type PostgresClient = { query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }> };
/** A pool of `pg`. */
export type PostgresPool<Client extends PostgresClient> = {
  readonly totalCount: number;
  connect(): Promise<Client & { release(broken?: boolean): void }>;
};

/** The feed’s tables, for a migration of your own. Without one, the feed makes them before its first transaction. */
export const postgresTables = `
create table if not exists svc_checkpoint (
  one boolean primary key default true check (one), client_id text, cursor text, etag text, recovery integer not null default 0,
  recovering boolean not null default false
);
insert into svc_checkpoint (one) values (true) on conflict do nothing;
create table if not exists svc_resource (
  id text primary key, type text not null, connection_id text not null, revision bigint not null, snapshot jsonb not null, seen integer not null
);
create index if not exists svc_resource_of_connection on svc_resource (connection_id);
create table if not exists svc_ended (id text primary key, revocation_id text not null);
create index if not exists svc_ended_by on svc_ended (revocation_id);
create table if not exists svc_deletion (
  revocation_id text primary key, subject_type text not null, subject_id text not null, connection_id text not null, revoked_at text not null,
  deadline_at text not null, complete boolean not null, deleted boolean not null default false, acknowledged_at text, refused_by text
);
create table if not exists svc_event (id text primary key, received_at timestamptz not null default now());
`;

/**
 * Keeps a feed in PostgreSQL. Hand in a pool, or a client that nothing else uses while the feed does. `upserted` and `ended` get the client
 * whose transaction they belong to.
 */
export function postgresFeed<Client extends PostgresClient>(
  database: PostgresPool<Client> | Client,
  handlers: Handlers<Client> = {},
  { makeTables = true }: { readonly makeTables?: boolean } = {},
): Feed {
  const connect = connectionsOf(database);
  let made: Promise<void> | undefined;

  async function transaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { client, release } = await connect();
    let broken = true;
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      broken = false;
      return result;
    } catch (error) {
      // Where even that fails, the connection is gone, and with it the transaction.
      const rolledBack = client.query('rollback').then(() => true);
      broken = !(await rolledBack.catch(() => false));
      throw error;
    } finally {
      release(broken);
    }
  }

  async function makeThem(): Promise<void> {
    made ??= transaction(async (client) => {
      // Two processes that make the same table at once disturb each other.
      await client.query("select pg_advisory_xact_lock(hashtext('svc-operator-kit'))");
      await client.query(postgresTables);
    }).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  }

  const store: FeedStore<Client> = {
    async transaction(steps) {
      if (makeTables) await makeThem();
      return transaction((client) => runAwaiting(steps(client)));
    },
    async lockCheckpoint(client) {
      const [row] = await on(client)<Checkpoint>`
        select client_id as "clientId", cursor, etag, recovery, recovering from svc_checkpoint for update`;
      if (!row) throw new Error('The row of svc_checkpoint is gone.');
      return row;
    },
    saveCheckpoint: (client, { clientId, cursor, etag, recovery, recovering }) => on(client)`
      update svc_checkpoint set client_id = ${clientId}, cursor = ${cursor}, etag = ${etag}, recovery = ${recovery}, recovering = ${recovering}`,
    revisions: (client, ids) => on(client)<{ id: string; revision: number }>`
      select id, revision::float8 as revision from svc_resource where id = any(${ids})`,
    endedAmong: async (client, ids) =>
      (await on(client)<{ id: string }>`select id from svc_ended where id = any(${ids})`).map(({ id }) => id),
    put: (client, snapshots, seen) => on(client)`
      insert into svc_resource (id, type, connection_id, revision, seen, snapshot)
      select s->>'id', s->>'type', s->>'connection_id', (s->>'revision')::bigint, coalesce(${seen}, 0), s
        from jsonb_array_elements(${JSON.stringify(snapshots)}) s
          on conflict (id) do update set revision = excluded.revision, snapshot = excluded.snapshot, seen = coalesce(${seen}, svc_resource.seen)`,
    markSeen: (client, ids, recovery) => on(client)`update svc_resource set seen = ${recovery} where id = any(${ids})`,
    end: (client, ids, revocationId) => on(client)`
      insert into svc_ended (id, revocation_id) select unnest(${ids}::text[]), ${revocationId} on conflict do nothing`,
    remove: (client, ids) => on(client)<ResourceRow>`
      delete from svc_resource where id = any(${ids}) returning id, type, connection_id as "connectionId"`,
    ofConnection: (client, connectionId) => on(client)<ResourceRow>`
      select id, type, connection_id as "connectionId" from svc_resource where connection_id = ${connectionId}`,
    notSeenIn: (client, recovery) => on(client)<ResourceRow>`
      select id, type, connection_id as "connectionId" from svc_resource where seen < ${recovery}`,
    putDeletion: (client, { revocationId, subject, connectionId, revokedAt, deadlineAt, complete }) => on(client)`
      insert into svc_deletion (revocation_id, subject_type, subject_id, connection_id, revoked_at, deadline_at, complete)
      values (${revocationId}, ${subject.type}, ${subject.id}, ${connectionId}, ${revokedAt}, ${deadlineAt}, ${complete})
          on conflict (revocation_id) do update set complete = svc_deletion.complete or excluded.complete`,
    openDeletions: (client) => on(client)<Deletion>`
      select revocation_id as "revocationId", json_build_object('type', subject_type, 'id', subject_id) as subject,
             connection_id as "connectionId", revoked_at as "revokedAt", deadline_at as "deadlineAt", complete, deleted,
             refused_by as "refusedBy", array(select id from svc_ended e where e.revocation_id = d.revocation_id order by id) as ids
        from svc_deletion d where acknowledged_at is null order by deadline_at, revocation_id`,
    markDeleted: async (client, revocationId) =>
      (await on(client)`update svc_deletion set deleted = true where revocation_id = ${revocationId} and complete returning 1`).length > 0,
    settle: (client, revocationId, { acknowledgedAt = null, refusedBy = null }) => on(client)`
      update svc_deletion set acknowledged_at = ${acknowledgedAt}, refused_by = ${refusedBy} where revocation_id = ${revocationId}`,
    putEvent: async (client, id) =>
      (await on(client)`insert into svc_event (id) values (${id}) on conflict do nothing returning 1`).length > 0,
  };
  return feedOn(store, handlers);
}

/** Runs a statement; its values are sent apart from it. */
const on =
  (client: PostgresClient) =>
  async <Row>(text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> =>
    (
      await client.query(
        text.reduce((before, part, at) => `${before}$${at}${part}`),
        values,
      )
    ).rows as Row[];

/** Connections of a pool, or the turns of the one client. */
function connectionsOf<Client extends PostgresClient>(database: PostgresPool<Client> | Client) {
  let last: Promise<unknown> = Promise.resolve();
  return async (): Promise<{ client: Client; release: (broken: boolean) => void }> => {
    if ('totalCount' in database) {
      const client = await database.connect();
      return { client, release: (broken) => client.release(broken) };
    }
    const before = last;
    let release = () => {};
    last = new Promise<void>((resolve) => (release = resolve));
    await before;
    return { client: database, release };
  };
}
