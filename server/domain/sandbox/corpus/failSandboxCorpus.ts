import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import { corpusLifecycle } from '../corpusStatus.ts';

const failSql = `
update sandbox_corpus set ${corpusLifecycle.sets('failSandboxCorpus', { failedAt: '$3' })}
 where client_number = $1 and generation = $2 and ${corpusLifecycle.mayStart('failSandboxCorpus')}`;

/** Records after the last attempt that a corpus could not be built. A corpus that is ready stays ready. */
export async function failSandboxCorpus(
  em: EntityManager,
  { clientNumber, generation, now }: { clientNumber: number; generation: number; now: Date },
): Promise<void> {
  await sql(em, failSql, [clientNumber, generation, now]);
}
