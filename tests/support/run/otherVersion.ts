import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresEnvironment, superuser } from '../../../server/database/databaseCluster.ts';
import type { PostgresBinaries } from '../../../server/database/postgresBinaries.ts';
import { findPostgresUser } from '../../../server/database/postgresUser.ts';

const run = promisify(execFile);

/**
 * With the folder of another PostgreSQL's programs, usually `TEST_POSTGRES`: makes a cluster of it in the run's folder, where the embedded database
 * will find it, and resolves with the programs to start it with. Without, undefined: the run is on the embedded version.
 */
export async function initializeOtherVersion(
  folder: string,
  programs = process.env['TEST_POSTGRES'],
): Promise<PostgresBinaries | undefined> {
  if (!programs) return undefined;
  const user = await findPostgresUser();
  const home = join(folder, 'database');
  const clusterDir = join(home, 'cluster');
  const passwordFile = join(home, 'password');
  await mkdir(clusterDir, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (user) for (const entry of [home, clusterDir, passwordFile]) await chown(entry, user.uid, user.gid);
  const initdb = join(programs, 'initdb');
  // The provider `builtin` of the embedded cluster came with PostgreSQL 17; the C library's C.UTF-8 sorts and compares as it does.
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8'];
  const cluster = [`--pgdata=${clusterDir}`, `--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-sync'];
  await run(initdb, [...cluster, ...locale], { ...user, cwd: '/', env: postgresEnvironment });
  return { initdb, postgres: join(programs, 'postgres') };
}
