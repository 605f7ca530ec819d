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

type Row = {
  readonly certificateId: string;
  readonly status: P12Status;
  readonly failedAttempts: number;
  readonly readyAt: number | null;
  readonly claimUntil: number | null;
  readonly endedAt: number | null;
};

/** By the primary key. */
const packagesSql = `
select certificate_id as "certificateId", status, failed_attempts as "failedAttempts", (extract(epoch from ready_at) * 1000)::float8 as "readyAt",
       (extract(epoch from claim_until) * 1000)::float8 as "claimUntil", (extract(epoch from ended_at) * 1000)::float8 as "endedAt"
  from p12_package where certificate_id = any($1::text[])`;

/** The packages of these certificates, in any order, without their bytes. */
export async function p12Packages(em: EntityManager, certificateIds: readonly string[]): Promise<P12Package[]> {
  const rows = await sql<Row>(em, packagesSql, [[...certificateIds]]);
  return rows.map(({ certificateId, status, failedAttempts, readyAt, claimUntil, endedAt }) => ({
    certificateId,
    status,
    readyAt: dateOf(readyAt),
    claimUntil: dateOf(claimUntil),
    attemptsLeft: certificateLimits.wrongTokensPerP12 - failedAttempts,
    endedAt: dateOf(endedAt),
  }));
}

function dateOf(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
