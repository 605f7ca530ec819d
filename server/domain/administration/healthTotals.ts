import type { EntityManager } from '@mikro-orm/postgresql';
import type { HealthLevel } from '../attention/findings/findingTypes.ts';
import { sql } from '../shared/sql.ts';

type HealthTotals = {
  /** When they were last judged; null before the first time. */
  readonly judgedAt: Date | null;
  readonly counts: readonly { readonly level: HealthLevel; readonly count: number }[];
};

/** By integration_health, whose entries it reads and nothing else. */
const countsSql = 'select health as level, count(*)::int as count from integration group by health';

/** By its only row. */
const judgedAtSql = 'select judged_at as "judgedAt" from health_judgement';

/** How many integrations of all operators are of each health, as they were last judged (`judgeHealth`). */
export async function healthTotals(em: EntityManager): Promise<HealthTotals> {
  const [counts, [judged]] = await Promise.all([
    sql<HealthTotals['counts'][number]>(em, countsSql),
    sql<{ judgedAt: Date }>(em, judgedAtSql),
  ]);
  return { judgedAt: judged?.judgedAt ?? null, counts };
}
