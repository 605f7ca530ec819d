import pg from 'pg';
import { roleNames } from '../server/database/roles/roleNames.ts';
import type { AdmissionTask } from './programs/admissionLoad.ts';
import { alternate, type Contender, type Effort, median, ratioOf, type Result } from './measure.ts';
import { integrations, type World } from './world.ts';

/**
 * Where one process asks, or where calls of one integration wait for its row, round trips decide. Two processes with a connection each and a
 * hundred integrations keep two cores busy and nothing waits, so that only processor time is left to save.
 */
const targets = { rounds: 2, processorTime: 1.5 };

/** Compares admission in one statement with the same checks as separate queries, directly on the database. */
export async function measureAdmission(world: World, effort: Effort): Promise<Result[]> {
  await letSeparateQueriesReadOverrides(world);
  const children = [world.start('admissionLoad'), world.start('admissionLoad')];
  const results: Result[] = [];
  for (const processes of [1, 2]) {
    for (const clients of [1, integrations]) {
      for (const connections of [1, 16]) {
        const identities = world.identities.slice(0, clients).map((identity) => identity.facts);
        const contender =
          (kind: AdmissionTask['kind']): Contender =>
          async (milliseconds) => {
            const task: AdmissionTask = { kind, databaseUrl: world.databaseUrl, connections, identities, milliseconds };
            const rates = await Promise.all(children.slice(0, processes).map((child) => child.ask<number>(task)));
            return rates.reduce((sum, rate) => sum + rate, 0);
          };
        const { together, separate } = await alternate({ together: contender('together'), separate: contender('separate') }, effort);
        results.push({
          section: 'admission',
          name: `admission / separate queries, ${clients} integration${clients === 1 ? '' : 's'}, ${processes} × ${connections} connection${connections === 1 ? '' : 's'}`,
          ratio: ratioOf(together, separate),
          target: { atLeast: processes > 1 && clients > 1 && connections === 1 ? targets.processorTime : targets.rounds },
          figures: `${median(together).toFixed(0)}/s, separate ${median(separate).toFixed(0)}/s`,
        });
      }
    }
  }
  return results;
}

/** They run in the machine API's role, which has no right to overrides, because `admit` reads the client's row instead. */
async function letSeparateQueriesReadOverrides({ databaseUrl }: World): Promise<void> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    await db.query(`grant select on quota_override to ${roleNames().machine_api}`);
  } finally {
    await db.end();
  }
}
