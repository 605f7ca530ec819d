import type { Installation } from './Installation.ts';
import type { Load } from './load/Load.ts';

/** How each acknowledged write is found again. */
const found = {
  linkCodes: 'select id from link_code where id = any($1)',
  connections: 'select id from connection where id = any($1)',
  revocations: 'select id from revocation where id = any($1)',
  deletions: 'select id from revocation where id = any($1) and acknowledged_at is not null',
  upserts: `select core::json -> 'option_codes' ->> 0 as id from tracked_resource where core::json -> 'option_codes' ->> 0 = any($1)`,
} as const;

/**
 * What was answered with 200 and is not in the database, kinds of writes of which none was answered so, and why requests were answered with 500.
 * Prints how much is there.
 */
export async function missing(installation: Installation, { acknowledged }: Load): Promise<string[]> {
  const faults: string[] = [];
  const words: string[] = [];
  for (const [name, statement] of Object.entries(found)) {
    const ids = acknowledged[name as keyof typeof found];
    const rows = await installation.rows<{ id: string }>(statement, [[...ids]]);
    const there = new Set(rows.map(({ id }) => id));
    if (ids.size === 0) faults.push(`no write of ${name} was acknowledged, so nothing is known of them`);
    words.push(`${there.size} of ${ids.size} ${name}`);
    for (const id of ids) if (!there.has(id)) faults.push(`${id} (${name}) was acknowledged and is not there`);
  }
  for (const one of installation.processes) faults.push(...(await one.failedRequests()));
  console.log(`\n  acknowledged writes in the database: ${words.join(', ')}`);
  return faults;
}
