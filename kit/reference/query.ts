import type { Ended, Snapshot } from 'svc-operator-kit';

export type Row = Readonly<Record<string, string | number | null>>;
/** Runs one statement with the parameters $1, $2 and so on. SQLite answers at once, PostgreSQL with a promise. */
export type Query = (text: string, values?: readonly (string | number)[]) => readonly Row[] | Promise<readonly Row[]>;
/** Our own writes in the transaction of a page of the feed. */
export type Writes = {
  readonly upserted: (query: Query, snapshot: Snapshot) => unknown;
  readonly ended: (query: Query, resource: Ended) => unknown;
};
