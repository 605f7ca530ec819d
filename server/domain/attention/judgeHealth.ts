import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import { readFacts } from './facts/readFacts.ts';
import { overallHealth } from './ownHealth.ts';

/** How many are judged together: enough for a statement to be worth it, and few enough to leave the process free in between. */
const sliceSize = 500;

/** By the primary key. */
const sliceSql = 'select id from integration where id > $1 order by id limit $2';

/** What a command has locked is judged the next time: this waits for nobody, so it is in nobody’s order of locks. */
const storeSql = `
update integration i set health = found.level
  from (select o.id, w.level from unnest($1::text[], $2::text[]) w (id, level) join integration o on o.id = w.id
         where o.health <> w.level for no key update of o skip locked) found
 where i.id = found.id`;

const judgedSql = `
insert into health_judgement (judged_at) values ($1) on conflict (id) do update set judged_at = greatest(health_judgement.judged_at, excluded.judged_at)`;

/**
 * Stores how each integration is as a whole, so that administrators can narrow their list by it and count it without judging everybody’s for
 * each look. Only what has changed is written. It is safe to run at any time.
 */
export async function judgeHealth(em: EntityManager, { now }: { now: Date }): Promise<void> {
  let after = '';
  for (;;) {
    const ids = (await sql<{ id: string }>(em, sliceSql, [after, sliceSize])).map(({ id }) => id);
    const levels = (await readFacts(em, ids, now)).map(overallHealth);
    await sql(em, storeSql, [ids, levels]);
    const last = ids.at(-1);
    if (last === undefined || ids.length < sliceSize) break;
    after = last;
  }
  await sql(em, judgedSql, [now]);
}
