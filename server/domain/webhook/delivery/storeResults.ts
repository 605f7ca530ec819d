import type { HoldReason } from '../../outbox/deliveryFacts.ts';
import type { Query } from '../../shared/query.ts';
import { numbersOf, textsOf } from './arrayLiteral.ts';
import type { DeliveryResult } from './deliveryResult.ts';
import { heldSql, releaseHeldSql, storeResultsSql, waitingCountsSql } from './storeResults.sql.ts';

/** Stores what became of deliveries, each at most once in a call. What was stored before, or by another process, is left alone. */
export async function storeResults(query: Query, results: readonly DeliveryResult[]): Promise<void> {
  const attempts = results.map(({ attempt }) => attempt);
  await query(storeResultsSql, [
    numbersOf(results.map(({ number }) => number)),
    numbersOf(results.map(({ endpointNumber }) => endpointNumber)),
    numbersOf(results.map((result) => result.attempts)),
    textsOf(results.map(({ action }) => action)),
    textsOf(results.map(({ reason }) => reason)),
    numbersOf(results.map(({ nextAttemptAt }) => nextAttemptAt)),
    numbersOf(results.map(({ finishedAt }) => finishedAt)),
    numbersOf(attempts.map((attempt) => attempt?.startedAt ?? null)),
    numbersOf(attempts.map((attempt) => duration(attempt?.dnsUs))),
    numbersOf(attempts.map((attempt) => duration(attempt?.connectUs))),
    numbersOf(attempts.map((attempt) => duration(attempt?.tlsUs))),
    numbersOf(attempts.map((attempt) => duration(attempt?.firstByteUs))),
    numbersOf(attempts.map((attempt) => duration(attempt?.totalUs))),
    textsOf(attempts.map((attempt) => attempt?.address ?? null)),
    numbersOf(attempts.map((attempt) => attempt?.status ?? null)),
    textsOf(attempts.map((attempt) => attempt?.error ?? null)),
    textsOf(attempts.map((attempt) => attempt?.response ?? null)),
    textsOf(attempts.map((attempt) => attempt?.keyId ?? null)),
    textsOf(results.map(({ waitAsked }) => String(waitAsked))),
    textsOf(attempts.map((attempt) => attempt?.url ?? null)),
    textsOf(attempts.map((attempt) => attempt?.payloadMode ?? null)),
    textsOf(attempts.map((attempt) => attempt?.revision ?? null)),
    textsOf(attempts.map((attempt) => attempt?.bodySha256 ?? null)),
  ]);
}

/** The columns are integers of 32 bits, and a process that was frozen in an attempt measures more than their 35 minutes. */
const duration = (microseconds: number | null | undefined) => (microseconds == null ? null : Math.min(microseconds, 2 ** 31 - 1));

type HeldFor = { readonly endpointNumber: number; readonly reason: HoldReason };

/** The endpoints and reasons with held deliveries, and whether nothing holds them any more. */
export async function findHeld(query: Query): Promise<(HeldFor & { readonly releasable: boolean })[]> {
  const rows = await query<{ endpoint_number: number; reason: HoldReason; releasable: boolean }>(heldSql, []);
  return rows.map((row) => ({ endpointNumber: row.endpoint_number, reason: row.reason, releasable: row.releasable }));
}

/** Makes held deliveries due now, at most `slice` of them. Returns how many. */
export async function releaseHeld(
  query: Query,
  { endpointNumber, reason, now, slice }: HeldFor & { now: number; slice: number },
): Promise<number> {
  const [row] = await query<{ count: number }>(releaseHeldSql, [now, slice, endpointNumber, reason]);
  return row?.count ?? 0;
}

/** How many deliveries are held, and how many are dead letters, both counted up to `most`. */
export async function countWaiting(query: Query, most: number): Promise<{ held: number; dead: number }> {
  const [row] = await query<{ held: number; dead: number }>(waitingCountsSql, [most]);
  return row ?? { held: 0, dead: 0 };
}
