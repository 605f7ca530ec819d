import type { EntityManager } from '@mikro-orm/postgresql';
import { certificateLimits } from '../certificateLimits.ts';
import { sql } from '../../shared/sql.ts';
import type { P12Status } from './package/p12Status.ts';

/** What pages show of a package. */
export type P12Package = {
  readonly certificateId: string;
  readonly status: P12Status;
  readonly readyAt: Date | null;
  readonly claimUntil: Date | null;
  readonly attemptsLeft: number;
  readonly endedAt: Date | null;
};

type Row = Omit<P12Package, 'attemptsLeft'> & { readonly failedAttempts: number };

/** By the primary key. */
const packagesSql = `
select certificate_id as "certificateId", status, failed_attempts as "failedAttempts", ready_at as "readyAt",
       claim_until as "claimUntil", ended_at as "endedAt"
  from p12_package where certificate_id = any($1::text[])`;

/** The packages of these certificates, in any order, without their bytes. */
export async function p12Packages(em: EntityManager, certificateIds: readonly string[]): Promise<P12Package[]> {
  const rows = await sql<Row>(em, packagesSql, [[...certificateIds]]);
  return rows.map(({ failedAttempts, ...row }) => ({ ...row, attemptsLeft: certificateLimits.wrongTokensPerP12 - failedAttempts }));
}
