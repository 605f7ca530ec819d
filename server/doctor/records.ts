import { createOrm, type Orm } from '../database/orm.ts';
import { authorityEnds } from '../domain/certificate/authority/authorityEnds.ts';
import { crlStates } from '../domain/certificate/crl/publication/currentCrl.ts';
import { sql } from '../domain/shared/sql.ts';
import { databaseUrlsOf, partsOf } from './databaseUrls.ts';
import { warning, wrong, type Finding, type Look, type Place } from './finding.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const authoritySoonMs = 90 * dayMs;
/** As long as the alarm `JobsLate` waits. */
const lateSeconds = 300;

/** Whether certificates can be issued, and others can learn which are revoked. */
export async function examineAuthorities(place: Place): Promise<Look> {
  return withOrm(place, 'portal', async (orm) => {
    const em = orm.em.fork();
    const now = place.clock.now();
    const ends = await authorityEnds(em);
    if (!ends) {
      const remedy = 'Import one (docs/operating/keys.md, “Authorities”), or start the workers with ALLOW_GENERATED_AUTHORITY=true.';
      return [wrong('There is no issuing authority, so nobody gets a certificate and the machine API admits nobody', remedy)];
    }
    const found: Finding[] = [];
    if (ends.issuing.getTime() - now.getTime() < authoritySoonMs) {
      const remedy = 'Import the next one now (docs/operating/keys.md, “Authorities”): certificates end with their authority.';
      found.push(warning(`The issuing authority ends on ${ends.issuing.toISOString()}`, remedy));
    }
    for (const { kind, list } of await crlStates(em, now)) {
      if (list && list.nextUpdate > now) continue;
      const what = list ? `ended on ${list.nextUpdate.toISOString()}` : 'has not been published yet';
      const remedy =
        kind === 'root'
          ? 'Make one with the root’s key and run `oi admin import-crl FILE` (docs/operating/keys.md, “Revocation lists”).'
          : 'The workers publish it within a minute of their start. If it stays so, see that they run, and look for publishCrls in their log.';
      found.push(wrong(`The revocation list of the ${kind === 'root' ? 'root' : 'issuing authority'} ${what}`, remedy));
    }
    return found;
  });
}

const queueSql = `
select (select t.identifier from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         where j.is_available and j.run_at <= clock_timestamp() order by j.run_at limit 1) as task,
       (select extract(epoch from clock_timestamp() - min(run_at))::int from graphile_worker._private_jobs
         where is_available and run_at <= clock_timestamp()) as waited,
       (select count(*)::int from (select from graphile_worker._private_jobs
         where last_error is not null and locked_at is null and attempts >= max_attempts limit 1000) f) as failed`;

/** Whether jobs are done. */
export async function examineQueue(place: Place): Promise<Look> {
  if (!partsOf(place.role).includes('workers')) return [];
  return withOrm(place, 'workers', async (orm) => {
    const [row] = await sql<{ task: string | null; waited: number | null; failed: number }>(orm.em.fork(), queueSql);
    if (!row) return [];
    const found: Finding[] = [];
    if ((row.waited ?? 0) > lateSeconds) {
      const remedy = 'See that the workers run, and look for job.failed in their log.';
      found.push(wrong(`A job (${row.task}) has been waiting for ${Math.round((row.waited ?? 0) / 60)} minutes`, remedy));
    }
    if (row.failed > 0) {
      const words = `${row.failed} jobs have failed and are not tried again by themselves`;
      found.push(warning(words, 'Look at them under /admin/jobs: each says why, and can be repeated there.'));
    }
    return found;
  });
}

async function withOrm(place: Place, part: 'portal' | 'workers', look: (orm: Orm) => Promise<Finding[]>): Promise<Look> {
  const urls = await databaseUrlsOf(place);
  if ('skipped' in urls) return urls;
  const orm = await createOrm(urls[part], { name: 'start-check', poolMax: 1 });
  try {
    return await look(orm);
  } catch {
    return { skipped: 'the database could not be asked; see the findings about it' };
  } finally {
    await orm.close(true);
  }
}
