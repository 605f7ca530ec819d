import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';

/**
 * Runs one statement with bound parameters (`$1`, arrays included) in the manager's transaction, or on the pool if there is none. Pending
 * changes of entities are not flushed: call `em.flush()` first if the statement depends on them.
 */
export async function sql<Row>(em: EntityManager, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  const executor: Pick<Kysely<unknown>, 'executeQuery'> = em.getTransactionContext() ?? em.getConnection().getClient();
  const result = await executor.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
  return result.rows;
}
