import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from '../../server/database/databaseCluster.ts';
import { findClosedFolder, findPostgresUser } from '../../server/database/postgresUser.ts';
import { freeCluster } from '../../server/database/postmasterProcess.ts';

const prefix = 'operator-integration-test-';

/**
 * A new folder in the temporary folder that PostgreSQL's user may enter (/tmp when that is private to root), named after
 * this process so that a later run can tell whether it is still needed.
 */
export async function createRunFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(await findTemporaryFolder(), `${prefix}${process.pid}-`));
  await chmod(folder, 0o755);
  return folder;
}

/** Stops the PostgreSQL of every run that was killed and removes its folder. */
export async function removeStaleRunFolders(): Promise<void> {
  const parent = await findTemporaryFolder();
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10))) continue;
    const folder = path.join(parent, name);
    await freeCluster(path.join(folder, 'database', 'cluster'), folder).catch(() => undefined);
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function findTemporaryFolder(): Promise<string> {
  const usual = await realpath(tmpdir());
  const user = await findPostgresUser();
  return user && (await findClosedFolder(usual, user)) ? '/tmp' : usual;
}
