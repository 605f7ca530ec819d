import { noteLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import type { CountedKind } from './evidenceKinds.ts';

const countEvidenceSql = `
  insert into review_evidence (client_no, kind, first_at, last_at, count) select no, $2, $3, $3, $4 from client where no = $1 and environment = 'sandbox'
  on conflict (client_no, kind) do update set first_at = least(review_evidence.first_at, excluded.first_at),
    last_at = greatest(review_evidence.last_at, excluded.last_at), count = review_evidence.count + excluded.count`;

/** Counts what a sandbox client has just done, in the same transaction. Nothing is kept about production clients. */
export async function countEvidence(
  tx: EntityManager,
  { clientNo, kind, times = 1, now }: { clientNo: number; kind: CountedKind; times?: number; now: Date },
): Promise<void> {
  noteLock(tx, 'evidence');
  await sql(tx, countEvidenceSql, [clientNo, kind, now, times]);
}
