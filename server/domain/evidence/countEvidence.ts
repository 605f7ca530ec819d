import { noteLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import type { CountedKind } from './evidenceKinds.ts';

/** No process may alter evidence, so a function of the database's adds to it. */
const countEvidenceSql = `
select count_evidence(array[$1::int], array[$2::text], array[$3::timestamptz], array[$3::timestamptz], array[$4::bigint])`;

/** Counts what a sandbox client has just done, in the same transaction. Nothing is kept about production clients. */
export async function countEvidence(
  tx: EntityManager,
  { clientNumber, kind, times = 1, now }: { clientNumber: number; kind: CountedKind; times?: number; now: Date },
): Promise<void> {
  noteLock(tx, 'evidence');
  await sql(tx, countEvidenceSql, [clientNumber, kind, now, times]);
}
