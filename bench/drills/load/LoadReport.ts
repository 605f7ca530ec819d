import { performance } from 'node:perf_hooks';
import type { Outcome } from './HttpConnections.ts';

/** One request as it ended, in milliseconds of this process's clock. */
export type Ended = {
  readonly kind: string;
  readonly began: number;
  readonly ended: number;
  /** The status; `reset` for a connection that broke; `errors` for GraphQL's errors in an answer with 200. */
  readonly result: string;
  /** Present where an answer asks to wait. */
  readonly retryAfter: boolean;
  readonly detail: string;
};

const broken = new Set(['ECONNRESET', 'EPIPE', 'socket hang up', 'ECONNREFUSED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Everything that a load has been answered. */
export class LoadReport {
  readonly all: Ended[] = [];
  #since = 0;

  /** Leaves out all that has begun before, also what is still under way. */
  beginAgain(): void {
    this.all.length = 0;
    this.#since = performance.now();
  }

  add(kind: string, began: number, outcome: Outcome): void {
    if (began < this.#since) return;
    this.all.push({ kind, began, ended: performance.now(), ...judged(outcome) });
  }

  /** What ended with something else than these results. A 503 or 429 without Retry-After is never expected. */
  unexpected(expected: ReadonlySet<string>): Ended[] {
    const asksToWait = new Set(['503', '429']);
    return this.all.filter(({ result, retryAfter }) => !expected.has(result) || (asksToWait.has(result) && !retryAfter));
  }

  count(result: string): number {
    return this.all.filter((each) => each.result === result).length;
  }

  /** A table with a row for each kind of request and a column for each result. */
  table(): string {
    const results = [...new Set(this.all.map(({ result }) => result))].sort();
    const kinds = [...Map.groupBy(this.all, ({ kind }) => kind)];
    const rows = kinds.map(([kind, ended]) => {
      const times = ended.map((each) => each.ended - each.began).sort((a, b) => a - b);
      const counts = results.map((result) => String(ended.filter((each) => each.result === result).length));
      return [kind, String(ended.length), ...counts, `${Math.round(times[times.length >> 1] ?? 0)}`, `${Math.round(times.at(-1) ?? 0)}`];
    });
    const totals = results.map((result) => String(this.count(result)));
    return aligned([['', 'sent', ...results, 'median ms', 'longest ms'], ...rows, ['all', String(this.all.length), ...totals, '', '']]);
  }
}

function judged(outcome: Outcome): Pick<Ended, 'result' | 'retryAfter' | 'detail'> {
  if (outcome.error !== undefined)
    return { result: broken.has(outcome.error) ? 'reset' : outcome.error, retryAfter: false, detail: outcome.error };
  const { status, headers, body } = outcome;
  const { errors, code } = (body ?? {}) as { errors?: readonly { extensions?: { code?: string }; message?: string }[]; code?: string };
  const detail = code ?? (errors ? `${errors[0]?.extensions?.code}: ${errors[0]?.message}` : '');
  return { result: status === 200 && errors ? 'errors' : String(status), retryAfter: headers['retry-after'] !== undefined, detail };
}

/** Rows in columns of equal width. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`.trimEnd(),
    )
    .join('\n');
}
