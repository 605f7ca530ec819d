import pg from 'pg';
import { type ConnectionName, settingsOf } from '../../../server/database/connection/connectionUses.ts';

/** A statement as it went to the database. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] };
type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
};

/** What a statement did: rows read by table, tables read from end to end, and the server's time. */
export type Reading = { readonly rows: ReadonlyMap<string, number>; readonly sequential: readonly string[]; readonly milliseconds: number };

/** The settings of a use of connections, as `pg` takes them. A pooler would refuse them, but the tests' server is PostgreSQL itself. */
export function optionsOf(name: ConnectionName): string {
  return Object.entries(settingsOf(name))
    .map(([setting, value]) => `-c ${setting}=${value}`)
    .join(' ');
}

type Query = (...parameters: unknown[]) => unknown;

let heard: Statement[] | null = null;
let listens = false;

/** Listens to all connections that are opened from now on, by any pool. Another file of this process may have begun to. */
export function listenToStatements(): void {
  if (listens) return;
  listens = true;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function query(this: unknown, ...parameters: unknown[]) {
    const [first, second] = parameters;
    const { text, values } = typeof first === 'string' ? { text: first, values: second } : (first as Partial<Statement>);
    // What a connection begins with belongs to no work.
    if (text !== undefined && !text.startsWith('select set_config(')) heard?.push({ text, values: Array.isArray(values) ? values : [] });
    return original.apply(this, parameters);
  };
}

/** The statements that reach the database while `work` runs. */
export async function statementsOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; statements: Statement[] }> {
  const statements: Statement[] = [];
  heard = statements;
  try {
    return { result: await work(), statements };
  } finally {
    heard = null;
  }
}

/** Partitions of days and months to come are empty, and nothing is cheaper than to read them from end to end. */
const isPartition = (table: string) => /_(\d{6,8}|default)$/.test(table);

/** Runs a statement under EXPLAIN (ANALYZE). */
export async function readingOf(client: pg.Client, { text, values }: Statement): Promise<Reading> {
  type Answer = { 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number; 'Planning Time': number }] };
  const { rows: answers } = await client.query<Answer>(`explain (analyze, format json) ${text}`, [...values]);
  const [explained] = answers[0]?.['QUERY PLAN'] ?? [];
  if (!explained) throw new Error('No plan.');
  const rows = new Map<string, number>();
  const sequential: string[] = [];
  const visit = (node: PlanNode): void => {
    const table = node['Relation Name'];
    if (table !== undefined) {
      const each = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
      rows.set(table, (rows.get(table) ?? 0) + each * (node['Actual Loops'] ?? 1));
      if (node['Node Type'] === 'Seq Scan' && !(each === 0 && isPartition(table))) sequential.push(table);
    }
    node.Plans?.forEach(visit);
  };
  visit(explained.Plan);
  return { rows, sequential, milliseconds: explained['Execution Time'] };
}
