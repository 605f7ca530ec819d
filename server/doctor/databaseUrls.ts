import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessRole } from '../config/config.ts';
import type { DatabaseUrls } from '../database/embeddedPostgres.ts';
import { openClient } from '../database/connection/openPool.ts';
import { configuredUrls } from '../database/openDatabase.ts';
import type { DatabaseRole } from '../database/roles/roleNames.ts';
import type { Place } from './finding.ts';

/** Whose roles a process connects with. */
export function partsOf(role: ProcessRole): readonly DatabaseRole[] {
  if (role === 'service') return ['portal', 'machine_api', 'workers'];
  return [role === 'machine-api' ? 'machine_api' : role === 'workers' ? 'workers' : 'portal'];
}

/** By which URLs the process connects. The embedded database is there only while the service runs. */
export async function databaseUrlsOf({ config, role }: Place): Promise<DatabaseUrls | { readonly skipped: string }> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) return configuredUrls(config, databaseUrl, role === 'service');
  const skipped = { skipped: 'the embedded database runs only while the service does' };
  const read = async (name: string) => (await readFile(join(dataDir, `database-url${name}`), 'utf8')).trim();
  try {
    const [owner, portal, machineApi, workers] = await Promise.all(['', '.portal', '.machine-api', '.workers'].map(read));
    if (owner === undefined || portal === undefined || machineApi === undefined || workers === undefined) return skipped;
    await (await openClient(portal, 'start-check')).end();
    return { owner, portal, machineApi, workers };
  } catch {
    return skipped;
  }
}
