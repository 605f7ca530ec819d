import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../shared/actor.ts';
import { DomainError, refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { shown } from './auditSql.ts';
import type { AuditEntry } from './auditTrail.ts';
import { ndjsonLine } from './exportAuditTrail.ts';
import { record } from './record.ts';

/** A month of the trail that is over, in UTC. */
type AuditMonth = { readonly name: string; readonly from: Date; readonly until: Date };
/** What an export of a month contains: so many lines with this SHA-256 together. */
export type MonthExport = { readonly entries: number; readonly sha256: string };

/** Reads `2026-05`. Errors: invalid_request, also until the month has been over for a day. */
export function auditMonth(name: string, now: Date): AuditMonth {
  const from = new Date(/^\d{4}-\d{2}$/.test(name) ? `${name}-01T00:00:00Z` : Number.NaN);
  if (Number.isNaN(from.getTime())) refuseInvalid([{ path: 'month', message: 'Write the month as in 2026-05.' }]);
  const until = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
  if (now.getTime() < until.getTime() + limits.auditMonthRests) {
    refuseInvalid([
      { path: 'month', message: `${name} must have been over for a day (in UTC), because its last entries may still be written.` },
    ]);
  }
  return { name, from, until };
}

type Row = AuditEntry & { place: string };

const sliceSql = `${shown}, occurred_at::text as place from audit_entry e
 where occurred_at >= $1 and occurred_at < $2 and (occurred_at, id) > ($3::timestamptz, $4::bigint) order by e.occurred_at, e.id limit ${limits.removalSlice}`;

/** All entries of the month as NDJSON, oldest first, in pieces of whole lines. By the primary key of the month's partition. */
export async function* monthPieces(em: EntityManager, { from, until }: AuditMonth): AsyncIterable<{ text: string; entries: number }> {
  for (let place: readonly [string, string] = ['-infinity', '0']; ;) {
    const rows = await sql<Row>(em, sliceSql, [from, until, ...place]);
    const last = rows.at(-1);
    if (!last) return;
    yield {
      text: rows.map(ndjsonLine).join(''),
      entries: rows.length,
    };
    place = [last.place, last.id];
  }
}

/** Puts on record what has been written and read back of a month; a later export of the same month replaces it. Errors: conflict. */
export async function recordMonthExport(
  em: EntityManager,
  { actor, month, made, now }: { actor: Actor; month: AuditMonth; made: MonthExport; now: Date },
): Promise<void> {
  await em.transactional(async (tx) => {
    const [kept] = await sql(
      tx,
      `insert into audit_export as e (month, entries, sha256, exported_at) values ($1, $2, $3, $4)
       on conflict (month) do update set entries = excluded.entries, sha256 = excluded.sha256, exported_at = excluded.exported_at
        where e.dropped_at is null returning 1`,
      [month.name, made.entries, made.sha256, now],
    );
    if (!kept) throw new DomainError('conflict', { detail: `${month.name} has been dropped already; its export is on record.` });
    await record(tx, actor, now, {
      action: 'audit_trail.month_exported',
      subject: { type: 'service', id: 'audit' },
      details: { month: month.name, ...made },
    });
  });
}

/**
 * Drops a month whose export is on record, while the file is still what was exported and the trail still has nothing else in this month. Only
 * the tables' owner may. Errors: conflict, in which case nothing has changed.
 */
export async function dropAuditMonth(
  em: EntityManager,
  { actor, month, file, now }: { actor: Actor; month: AuditMonth; file: MonthExport; now: Date },
): Promise<MonthExport> {
  const [kept] = await sql<{ sha256: string; dropped: boolean }>(
    em,
    'select sha256, dropped_at is not null as dropped from audit_export where month = $1',
    [month.name],
  );
  if (!kept) throw new DomainError('conflict', { detail: `${month.name} has not been exported. Run export-audit-month first.` });
  if (kept.dropped) throw new DomainError('conflict', { detail: `${month.name} has been dropped already.` });
  if (kept.sha256 !== file.sha256) throw new DomainError('conflict', { detail: `The file is not the last export of ${month.name}.` });
  const stored = await digestOf(monthPieces(em, month));
  if (stored.sha256 !== file.sha256) {
    const detail = `The trail has changed since ${month.name} was exported: an account was deleted, so source addresses are gone. Export the month again.`;
    throw new DomainError('conflict', { detail });
  }
  const dropping = em.transactional(async (tx) => {
    await dropRows(tx, month, stored.entries);
    await sql(tx, 'update audit_export set dropped_at = $2 where month = $1', [month.name, now]);
    const details = { month: month.name, ...stored };
    await record(tx, actor, now, { action: 'audit_trail.month_dropped', subject: { type: 'service', id: 'audit' }, details });
  });
  await dropping.catch((error: unknown) => {
    const inUse = typeof error === 'object' && error !== null && 'code' in error && error.code === '55P03';
    const detail =
      'Something, such as a backup, has been reading the audit trail for more than a second. Nothing was removed; try again later.';
    throw inUse ? new DomainError('conflict', { detail }) : error;
  });
  return stored;
}

/** The number of lines and the digest of what `monthPieces` gives. */
export async function digestOf(pieces: AsyncIterable<{ text: string; entries: number }>): Promise<MonthExport> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const { text, entries } of pieces) {
    hash.update(text);
    count += entries;
  }
  return { entries: count, sha256: hash.digest('hex') };
}

/**
 * Removes the month's partition, and its entries that had none when they were written. The drop needs the whole trail for a moment; what waits
 * behind it waits for a second at most, because then it gives up. Errors: conflict.
 */
async function dropRows(tx: EntityManager, { name, from, until }: AuditMonth, entries: number): Promise<void> {
  await sql(tx, `set local lock_timeout = '1s'`);
  const own = `audit_entry_${name.replace('-', '')}`;
  const [found] = await sql<{ partition: boolean; apart: boolean }>(
    tx,
    `select to_regclass($1) is not null as partition, exists (select from audit_entry_default where occurred_at >= $2 and occurred_at < $3) as apart`,
    [own, from, until],
  );
  if (found?.partition) await sql(tx, `lock table ${own} in share mode`);
  // A line that arrives between counting and deleting would go without having been exported.
  if (found?.apart) await sql(tx, 'lock table audit_entry_default in share row exclusive mode');
  const [now] = await sql<{ count: number }>(
    tx,
    'select count(*)::int as count from audit_entry where occurred_at >= $1 and occurred_at < $2',
    [from, until],
  );
  if (now?.count !== entries) throw new DomainError('conflict', { detail: `${name} has changed at this moment. Try again.` });
  if (found?.apart) {
    await sql(tx, 'alter table audit_entry_default disable trigger user');
    await sql(tx, 'delete from audit_entry_default where occurred_at >= $1 and occurred_at < $2', [from, until]);
    await sql(tx, 'alter table audit_entry_default enable trigger user');
  }
  if (found?.partition) await sql(tx, `drop table ${own}`);
}
