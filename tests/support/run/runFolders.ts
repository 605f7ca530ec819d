import { chmod, mkdtemp, readdir, realpath, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from '../../../server/database/databaseCluster.ts';
import { findClosedFolder, findPostgresUser } from '../../../server/database/postgresUser.ts';
import { freeCluster } from '../../../server/database/postmasterProcess.ts';

const prefix = 'operator-integration-test-';
/** Linux's folder in memory, where making a database of some hundred files takes a tenth of the time that it takes on a disk. */
const memoryFolder = '/dev/shm';
/** The most that a run's databases may need, with plenty to spare. */
const roomInBytes = 4 * 1024 ** 3;

/**
 * A new folder that PostgreSQL's user may enter, named after this process so that a later run can tell whether it is still needed. It is in
 * the temporary folder (/tmp when that is private to root), or in memory if that is asked for and the machine has enough of it.
 */
export async function createRunFolder({ inMemory = false } = {}): Promise<string> {
  const parent = inMemory && (await hasRoomInMemory()) ? memoryFolder : await findTemporaryFolder();
  const folder = await mkdtemp(path.join(parent, `${prefix}${process.pid}-`));
  await chmod(folder, 0o755);
  return folder;
}

/** Stops the PostgreSQL of every run that was killed and removes its folder. */
export async function removeStaleRunFolders(): Promise<void> {
  for (const parent of [await findTemporaryFolder(), memoryFolder]) {
    for (const name of await readdir(parent).catch(() => [])) {
      if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10))) continue;
      const folder = path.join(parent, name);
      await freeCluster(path.join(folder, 'database', 'cluster'), folder).catch(() => undefined);
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function hasRoomInMemory(): Promise<boolean> {
  if (process.platform !== 'linux' || process.availableMemory() < roomInBytes) return false;
  const { bavail, bsize } = await statfs(memoryFolder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= roomInBytes;
}

async function findTemporaryFolder(): Promise<string> {
  const usual = await realpath(tmpdir());
  const user = await findPostgresUser();
  return user && (await findClosedFolder(usual, user)) ? '/tmp' : usual;
}
