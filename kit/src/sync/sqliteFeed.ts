import type { Snapshot } from '../contract/contract.ts';
import { feedOn, type Feed } from './Feed.ts';
import type { Checkpoint, Deletion, FeedStore, ResourceRow } from './FeedStore.ts';
import type { Handlers } from './Handlers.ts';
import { runAtOnce } from './steps.ts';

type Value = string | number | bigint | null;
type Statement = { all(...values: Value[]): unknown[] };
/** `DatabaseSync` of node:sqlite (Node 22.13 and later) is one. */
export type SqliteDatabase = { exec(sql: string): unknown; prepare(sql: string): Statement };

/** A feed that answers at once. */
export type SqliteFeed = { readonly [Name in keyof Feed]: (...given: Parameters<Feed[Name]>) => Awaited<ReturnType<Feed[Name]>> };

/** Its tables; `snapshot` is JSON. Read them as you like, and leave writing to the feed. */
const tables = `
create table if not exists svc_checkpoint (
  one integer primary key check (one = 1), client_id text, cursor text, etag text, recovery integer not null default 0, recovering integer not null default 0
);
insert into svc_checkpoint (one) values (1) on conflict do nothing;
create table if not exists svc_resource (
  id text primary key, type text not null, connection_id text not null, revision integer not null, seen integer not null, snapshot text not null
);
create index if not exists svc_resource_of_connection on svc_resource (connection_id);
create table if not exists svc_ended (id text primary key, revocation_id text not null) without rowid;
create index if not exists svc_ended_by on svc_ended (revocation_id);
create table if not exists svc_deletion (
  revocation_id text primary key, subject_type text not null, subject_id text not null, connection_id text not null, revoked_at text not null,
  deadline_at text not null, complete integer not null, deleted integer not null default 0, acknowledged_at text, refused_by text
) without rowid;
create table if not exists svc_event (id text primary key, received_at text not null default current_timestamp) without rowid;
`;

type DeletionRow = Omit<Deletion, 'ids' | 'subject' | 'complete' | 'deleted'> &
  Record<'subjectType' | 'subjectId' | 'ids', string> &
  Record<'complete' | 'deleted', number>;

/** Keeps a feed in SQLite. `upserted` and `ended` write to the same database, at once: in its transaction nothing can be awaited. */
export function sqliteFeed<Database extends SqliteDatabase>(database: Database, handlers: Handlers<Database> = {}): SqliteFeed {
  // Other processes that write to the same file are waited for.
  database.exec(`pragma busy_timeout = 10000;${tables}`);
  const prepared = new Map<TemplateStringsArray, Statement>();
  /** Runs a statement, which is prepared once; its values are bound. */
  const sql = <Row>(text: TemplateStringsArray, ...values: Value[]): Row[] => {
    const statement = prepared.get(text) ?? database.prepare(text.join('?'));
    prepared.set(text, statement);
    return statement.all(...values) as Row[];
  };

  const store = {
    transaction(steps) {
      database.exec('begin immediate');
      try {
        const result = runAtOnce(steps(database));
        database.exec('commit');
        return result;
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },
    lockCheckpoint() {
      const [row] = sql<Omit<Checkpoint, 'recovering'> & { readonly recovering: number }>`
        select client_id as clientId, cursor, etag, recovery, recovering from svc_checkpoint`;
      if (!row) throw new Error('The row of svc_checkpoint is gone.');
      return { ...row, recovering: row.recovering === 1 };
    },
    saveCheckpoint: (_tx, { clientId, cursor, etag, recovery, recovering }) => sql`
      update svc_checkpoint set client_id = ${clientId}, cursor = ${cursor}, etag = ${etag}, recovery = ${recovery}, recovering = ${Number(recovering)}`,
    revisions: (_tx, ids) => sql<{ id: string; revision: number }>`
      select id, revision from svc_resource where id in (select value from json_each(${JSON.stringify(ids)}))`,
    endedAmong: (_tx, ids) =>
      sql<{ id: string }>`select id from svc_ended where id in (select value from json_each(${JSON.stringify(ids)}))`.map(({ id }) => id),
    put(_tx, snapshots: readonly Snapshot[], seen) {
      for (const snapshot of snapshots) {
        const { id, type, connection_id: connectionId, revision } = snapshot;
        void sql`
          insert into svc_resource (id, type, connection_id, revision, seen, snapshot)
          values (${id}, ${type}, ${connectionId}, ${revision}, ${seen ?? 0}, ${JSON.stringify(snapshot)})
          on conflict do update set revision = excluded.revision, snapshot = excluded.snapshot, seen = coalesce(${seen}, seen)`;
      }
    },
    markSeen: (_tx, ids, recovery) => sql`
      update svc_resource set seen = ${recovery} where id in (select value from json_each(${JSON.stringify(ids)}))`,
    end: (_tx, ids, revocationId) => sql`
      insert into svc_ended (id, revocation_id) select value, ${revocationId} from json_each(${JSON.stringify(ids)}) where true on conflict do nothing`,
    remove: (_tx, ids) => sql<ResourceRow>`
      delete from svc_resource where id in (select value from json_each(${JSON.stringify(ids)})) returning id, type, connection_id as connectionId`,
    ofConnection: (_tx, connectionId) =>
      sql<ResourceRow>`select id, type, connection_id as connectionId from svc_resource where connection_id = ${connectionId}`,
    notSeenIn: (_tx, recovery) =>
      sql<ResourceRow>`select id, type, connection_id as connectionId from svc_resource where seen < ${recovery}`,
    putDeletion: (_tx, { revocationId, subject, connectionId, revokedAt, deadlineAt, complete }) => sql`
      insert into svc_deletion (revocation_id, subject_type, subject_id, connection_id, revoked_at, deadline_at, complete)
      values (${revocationId}, ${subject.type}, ${subject.id}, ${connectionId}, ${revokedAt}, ${deadlineAt}, ${Number(complete)})
      on conflict do update set complete = max(complete, excluded.complete)`,
    openDeletions: () =>
      sql<DeletionRow>`
        select revocation_id as revocationId, subject_type as subjectType, subject_id as subjectId, connection_id as connectionId,
               revoked_at as revokedAt, deadline_at as deadlineAt, complete, deleted, refused_by as refusedBy,
               (select json_group_array(id) from svc_ended e where e.revocation_id = d.revocation_id) as ids
          from svc_deletion d where acknowledged_at is null order by deadline_at, revocation_id`.map(
        ({ subjectType: type, subjectId: id, complete, deleted, ids, ...row }) =>
          ({ ...row, subject: { type, id }, complete: complete === 1, deleted: deleted === 1, ids: JSON.parse(ids) as string[] }) as const,
      ),
    markDeleted: (_tx, revocationId) =>
      sql`update svc_deletion set deleted = 1 where revocation_id = ${revocationId} and complete = 1 returning 1`.length > 0,
    settle: (_tx, revocationId, { acknowledgedAt = null, refusedBy = null }) => sql`
      update svc_deletion set acknowledged_at = ${acknowledgedAt}, refused_by = ${refusedBy} where revocation_id = ${revocationId}`,
    putEvent: (_tx, id) => sql`insert into svc_event (id) values (${id}) on conflict do nothing returning 1`.length > 0,
  } satisfies FeedStore<Database>;

  // Nothing in this store returns a promise, so what the feed returns is there at once.
  return feedOn<Database>(store, handlers) as SqliteFeed;
}
