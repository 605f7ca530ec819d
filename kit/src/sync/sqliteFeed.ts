import type { AccessEnded } from '../client/errors.ts';
import type { Snapshot } from '../contract/contract.ts';
import { feedOn, type Feed } from './Feed.ts';
import type { Checkpoint, Deletion, FeedStore, ResourceRow } from './FeedStore.ts';
import type { Handlers } from './Handlers.ts';
import { runAtOnce } from './steps.ts';

type Value = string | number | bigint | null;
type Statement = {
  run(...values: Value[]): { readonly changes: number | bigint };
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
};
/** `DatabaseSync` of node:sqlite (Node 22.13 and later) is one. */
export type SqliteDatabase = { exec(sql: string): unknown; prepare(sql: string): Statement };

/** A feed that answers at once. */
export interface SqliteFeed extends Feed {
  readonly refresh: (snapshot: Snapshot) => boolean;
  readonly end: (ended: AccessEnded) => null;
  readonly dueDeletions: () => readonly Deletion[];
  readonly deletedDeletions: () => readonly Deletion[];
  readonly refusedDeletions: () => readonly Deletion[];
  readonly markDeleted: (deletion: Pick<Deletion, 'revocationId'>) => void;
  readonly commitEvent: (event: { readonly id: string }) => boolean;
}

/** Its tables; `snapshot` is JSON. Read them as you like, and leave writing to the feed. */
const tables = `
create table if not exists svc_checkpoint (
  one integer primary key check (one = 1), client_id text, cursor text, etag text, recovery integer not null default 0, recovering integer not null default 0
);
insert into svc_checkpoint (one) values (1) on conflict do nothing;
create table if not exists svc_resource (
  id text primary key, type text not null, connection_id text not null, revision integer not null, snapshot text not null, seen integer not null
) without rowid;
create index if not exists svc_resource_of_connection on svc_resource (connection_id);
create table if not exists svc_ended (id text primary key, revocation_id text not null) without rowid;
create index if not exists svc_ended_by on svc_ended (revocation_id);
create table if not exists svc_deletion (
  revocation_id text primary key, subject_type text not null, subject_id text not null, connection_id text not null, revoked_at text not null,
  deadline_at text not null, complete integer not null, deleted integer not null default 0, acknowledged_at text, refused_by text
) without rowid;
create table if not exists svc_event (id text primary key, received_at text not null default current_timestamp) without rowid;
`;

const statements = {
  checkpoint: 'select client_id as clientId, cursor, etag, recovery, recovering from svc_checkpoint',
  saveCheckpoint: 'update svc_checkpoint set client_id = ?, cursor = ?, etag = ?, recovery = ?, recovering = ?',
  revision: 'select id, revision from svc_resource where id = ?',
  ended: 'select id from svc_ended where id = ?',
  put: `insert into svc_resource (id, type, connection_id, revision, snapshot, seen) values (?, ?, ?, ?, ?, coalesce(?, 0))
        on conflict do update set revision = excluded.revision, snapshot = excluded.snapshot, seen = coalesce(?, seen)`,
  markSeen: 'update svc_resource set seen = ? where id = ?',
  end: 'insert into svc_ended (id, revocation_id) values (?, ?) on conflict do nothing',
  remove: 'delete from svc_resource where id = ? returning id, type, connection_id as connectionId',
  ofConnection: 'select id, type, connection_id as connectionId from svc_resource where connection_id = ?',
  notSeen: 'select id, type, connection_id as connectionId from svc_resource where seen < ?',
  putDeletion: `insert into svc_deletion (revocation_id, subject_type, subject_id, connection_id, revoked_at, deadline_at, complete)
                values (?, ?, ?, ?, ?, ?, ?) on conflict do update set complete = max(complete, excluded.complete)`,
  openDeletions: `select revocation_id as revocationId, subject_type as subjectType, subject_id as subjectId, connection_id as connectionId,
                         revoked_at as revokedAt, deadline_at as deadlineAt, complete, deleted, refused_by as refusedBy,
                         (select json_group_array(id) from svc_ended e where e.revocation_id = d.revocation_id) as ids
                    from svc_deletion d where acknowledged_at is null order by deadline_at, revocation_id`,
  markDeleted: 'update svc_deletion set deleted = 1 where revocation_id = ? and complete = 1',
  settle: 'update svc_deletion set acknowledged_at = ?, refused_by = ? where revocation_id = ?',
  putEvent: 'insert into svc_event (id) values (?) on conflict do nothing',
} as const;

/** Keeps a feed in SQLite. `upserted` and `ended` write to the same database, at once: in its transaction nothing can be awaited. */
export function sqliteFeed<Database extends SqliteDatabase>(database: Database, handlers: Handlers<Database> = {}): SqliteFeed {
  // Other processes that write to the same file are waited for.
  database.exec(`pragma busy_timeout = 10000;${tables}`);
  const prepared = Object.fromEntries(Object.entries(statements).map(([name, text]) => [name, database.prepare(text)]));
  const run = (name: keyof typeof statements, ...values: Value[]): boolean => Number(prepared[name]?.run(...values).changes) > 0;
  const rows = <Row>(name: keyof typeof statements, ...values: Value[]) => (prepared[name]?.all(...values) ?? []) as Row[];

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
      const [row] = rows<Omit<Checkpoint, 'recovering'> & { readonly recovering: number }>('checkpoint');
      if (!row) throw new Error('The row of svc_checkpoint is gone.');
      return { ...row, recovering: row.recovering === 1 };
    },
    saveCheckpoint: (_tx, { clientId, cursor, etag, recovery, recovering }) =>
      run('saveCheckpoint', clientId, cursor, etag, recovery, Number(recovering)),
    revisions: (_tx, ids) => ids.flatMap((id) => rows<{ id: string; revision: number }>('revision', id)),
    endedAmong: (_tx, ids) => ids.flatMap((id) => rows<{ id: string }>('ended', id)).map(({ id }) => id),
    put(_tx, snapshots, recovery) {
      for (const snapshot of snapshots) {
        const { id, type, connection_id: connectionId, revision } = snapshot;
        run('put', id, type, connectionId, revision, JSON.stringify(snapshot), recovery, recovery);
      }
    },
    markSeen(_tx, ids, recovery) {
      for (const id of ids) run('markSeen', recovery, id);
    },
    end(_tx, ids, revocationId) {
      for (const id of ids) run('end', id, revocationId);
    },
    remove: (_tx, ids) => ids.flatMap((id) => rows<ResourceRow>('remove', id)),
    ofConnection: (_tx, connectionId) => rows<ResourceRow>('ofConnection', connectionId),
    notSeenIn: (_tx, recovery) => rows<ResourceRow>('notSeen', recovery),
    putDeletion: (_tx, { revocationId, subject, connectionId, revokedAt, deadlineAt, complete }) =>
      run('putDeletion', revocationId, subject.type, subject.id, connectionId, revokedAt, deadlineAt, Number(complete)),
    openDeletions: () => rows<DeletionRow>('openDeletions').map(deletionOf),
    markDeleted: (_tx, revocationId) => run('markDeleted', revocationId),
    settle: (_tx, revocationId, outcome) =>
      run(
        'settle',
        'acknowledgedAt' in outcome ? outcome.acknowledgedAt : null,
        'refusedBy' in outcome ? outcome.refusedBy : null,
        revocationId,
      ),
    putEvent: (_tx, id) => run('putEvent', id),
  } satisfies FeedStore<Database>;

  // Nothing in this store returns a promise, so what the feed returns is there at once.
  return feedOn<Database>(store, handlers) as SqliteFeed;
}

type DeletionRow = Omit<Deletion, 'ids' | 'subject' | 'complete' | 'deleted'> & {
  readonly subjectType: string;
  readonly subjectId: string;
  readonly complete: number;
  readonly deleted: number;
  readonly ids: string;
};

function deletionOf({ subjectType, subjectId, complete, deleted, ids, ...row }: DeletionRow): Deletion {
  const subject = { type: subjectType, id: subjectId };
  return { ...row, subject, complete: complete === 1, deleted: deleted === 1, ids: JSON.parse(ids) as string[] };
}
