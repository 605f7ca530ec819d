import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';

/**
 * Runs one statement with bound parameters (`$1`, arrays included) in the manager's transaction, or on the pool if there is none. Pending
 * changes of entities are not flushed: call `em.flush()` first if the statement depends on them.
 */
export async function sql<Row>(em: EntityManager, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  const executor: Pick<Kysely<unknown>, 'executeQuery'> = em.getTransactionContext() ?? em.getConnection().getClient();
  const result = await executor.executeQuery<Row>(CompiledQuery.raw(text, parameters.map(written)));
  return result.rows;
}

/** Numbers and IDs need no quotes, for which the driver would look through each of thousands. */
function written(parameter: unknown): unknown {
  return Array.isArray(parameter) && parameter.every(needsNoQuotes) ? `{${parameter.join()}}` : parameter;
}

const id = /^[a-z]+_[0-9A-Za-z]+$/;

function needsNoQuotes(each: unknown): boolean {
  return typeof each === 'number' || (typeof each === 'string' && id.test(each));
}

const names = new Map<string, string>();

/**
 * Has the statement planned once for each connection instead of each time it runs: for one that is planned for longer than it runs, because
 * it reads partitioned tables, or is asked about thousands of numbers, each of which PostgreSQL would compare with its statistics. It keeps the plan
 * under this name, which takes up to a megabyte of each connection, so its text must not depend on what is asked. Returns the text.
 */
export function plannedOnce(name: string, text: string): string {
  names.set(text, name);
  return text;
}

/** The name under which connections keep the plan of this statement; undefined for those that are planned each time. */
export function planName(text: string): string | undefined {
  return names.get(text);
}
