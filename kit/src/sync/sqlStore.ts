import type { Checkpoint, Deletion, FeedStore, ResourceRow } from './FeedStore.ts';
import { afterwards, type Awaitable } from './steps.ts';

export const connectionIndex = 'create index if not exists svc_resource_of_connection on svc_resource (connection_id)';

/**
 * The feed’s tables; `snapshot` is JSON. Read them as you like, and leave writing to the feed. To make an index locks its table even where it is
 * there, so the checkpoint’s row, which others lock first, is locked before, or both would wait for each other.
 */
export const feedTables = (json: 'text' | 'jsonb', index: string, id = 'primary key'): string => `
create table if not exists svc_checkpoint (
  one boolean primary key default true check (one), client_id text, cursor text, etag text, recovery integer not null default 0,
  recovering boolean not null default false
);
insert into svc_checkpoint (one) values (true) on conflict (one) do update set one = true;
create table if not exists svc_resource (
  id text ${id}, type text not null, connection_id text not null, revision bigint not null, seen integer not null, snapshot ${json} not null
);
${index};
create table if not exists svc_ended (id text primary key, revocation_id text not null);
create index if not exists svc_ended_by on svc_ended (revocation_id);
create table if not exists svc_deletion (
  revocation_id text primary key, subject_type text not null, subject_id text not null, connection_id text not null, revoked_at text not null,
  deadline_at text not null, complete boolean not null, deleted boolean not null default false, acknowledged_at text, refused_by text
);
create table if not exists svc_event (id text primary key, received_at timestamptz not null default current_timestamp);
`;

export type SqlValue = string | number | boolean | null;
/** What differs between databases that understand the statements below. */
type SqlDatabase<Tx> = Pick<FeedStore<Tx>, 'transaction' | 'put'> & {
  /** Runs a statement with a question mark for each value. */
  readonly rows: <Row>(tx: Tx, text: string, values: readonly SqlValue[]) => Awaitable<Row[]>;
  /** Has a column `value` with each text of a list that is handed in as JSON. */
  readonly list: string;
  /** What keeps a row that is read from others, where the transaction does not. */
  readonly lock: string;
};

type CheckpointRow = Omit<Checkpoint, 'recovering'> & { readonly recovering: number | boolean };
type DeletionRow = Omit<Deletion, 'ids' | 'subject'> & Record<'subjectType' | 'subjectId', string> & { readonly ids: string | null };

/** A store in SQL that SQLite and PostgreSQL have in common. */
export function sqlStore<Tx>({ rows, list, lock, ...own }: SqlDatabase<Tx>): FeedStore<Tx> {
  /** Runs a statement, apart from its values; a list stands for a table. */
  const on =
    (tx: Tx) =>
    <Row>(parts: TemplateStringsArray, ...values: (SqlValue | readonly string[])[]): Awaitable<Row[]> => {
      const isList = (value: unknown) => Array.isArray(value);
      const text = parts.reduce((before, part, at) => `${before}${isList(values[at - 1]) ? `(select value from ${list})` : '?'}${part}`);
      return rows<Row>(tx, text, values.map((value) => (isList(value) ? JSON.stringify(value) : value)) as SqlValue[]);
    };
  const isAny = (found: Awaitable<unknown[]>) => afterwards(found, ({ length }) => length > 0);
  return {
    ...own,
    lockCheckpoint: (tx) =>
      afterwards(
        rows<CheckpointRow>(tx, `select client_id as "clientId", cursor, etag, recovery, recovering from svc_checkpoint ${lock}`, []),
        ([row]) => {
          if (!row) throw new Error('The row of svc_checkpoint is gone.');
          return { ...row, recovering: Boolean(row.recovering) };
        },
      ),
    saveCheckpoint: (tx, { clientId, cursor, etag, recovery, recovering }) => on(tx)`
      update svc_checkpoint set client_id = ${clientId}, cursor = ${cursor}, etag = ${etag}, recovery = ${recovery}, recovering = ${recovering}`,
    known: (tx, ids) =>
      afterwards(
        on(tx)<{ id: string; revision: string | number | null }>`
          select id, revision from svc_resource where id in ${ids} union all select id, null from svc_ended where id in ${ids}`,
        (found) => found.map(({ id, revision }) => ({ id, revision: revision === null ? null : Number(revision) })),
      ),
    markSeen: (tx, ids, recovery) => on(tx)`update svc_resource set seen = ${recovery} where id in ${ids}`,
    end: (tx, ids, revocationId) => on(tx)`
      insert into svc_ended (id, revocation_id) select value, ${revocationId} from ${ids} as each where true on conflict do nothing`,
    remove: (tx, ids) => on(tx)<ResourceRow>`
      delete from svc_resource where id in ${ids} returning id, type, connection_id as "connectionId"`,
    ofConnection: (tx, connectionId) => on(tx)<ResourceRow>`
      select id, type, connection_id as "connectionId" from svc_resource where connection_id = ${connectionId}`,
    notSeenIn: (tx, recovery) => on(tx)<ResourceRow>`
      select id, type, connection_id as "connectionId" from svc_resource where seen < ${recovery}`,
    putDeletion: (tx, { revocationId, subject, connectionId, revokedAt, deadlineAt, complete }) => on(tx)`
      insert into svc_deletion (revocation_id, subject_type, subject_id, connection_id, revoked_at, deadline_at, complete)
      values (${revocationId}, ${subject.type}, ${subject.id}, ${connectionId}, ${revokedAt}, ${deadlineAt}, ${complete})
          on conflict (revocation_id) do update set complete = svc_deletion.complete or excluded.complete`,
    openDeletions: (tx) =>
      afterwards(
        on(tx)<DeletionRow>`
          select revocation_id as "revocationId", subject_type as "subjectType", subject_id as "subjectId", connection_id as "connectionId",
                 revoked_at as "revokedAt", deadline_at as "deadlineAt", complete, deleted, refused_by as "refusedBy",
                 (select string_agg(id, ' ') from svc_ended e where e.revocation_id = d.revocation_id) as ids
            from svc_deletion d where acknowledged_at is null order by deadline_at, revocation_id`,
        (found) =>
          found.map(({ subjectType: type, subjectId: id, ids, ...row }) => {
            const flags = { complete: Boolean(row.complete), deleted: Boolean(row.deleted) };
            return { ...row, ...flags, subject: { type, id }, ids: ids?.split(' ').sort() ?? [] };
          }),
      ),
    markDeleted: (tx, revocationId) =>
      isAny(on(tx)`update svc_deletion set deleted = true where revocation_id = ${revocationId} and complete returning 1`),
    settle: (tx, revocationId, { acknowledgedAt = null, refusedBy = null }) => on(tx)`
      update svc_deletion set acknowledged_at = ${acknowledgedAt}, refused_by = ${refusedBy} where revocation_id = ${revocationId}`,
    putEvent: (tx, id) => isAny(on(tx)`insert into svc_event (id) values (${id}) on conflict do nothing returning 1`),
  };
}
