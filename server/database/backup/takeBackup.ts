import { createReadStream } from 'node:fs';
import { chown, copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { openClient } from '../connection/openPool.ts';
import { prepareDataFolder, superuser } from '../databaseCluster.ts';
import { backupName, unfinishedSuffix } from './backups.ts';

type Taking = {
  readonly dataDir: string;
  readonly backupDir: string;
  readonly now: Date;
  /** Gives the backup up. */
  readonly signal?: AbortSignal;
};

/**
 * Has the embedded PostgreSQL, which is running, write a copy of itself as of one moment into a new folder of `backupDir`, and resolves with its
 * path. The copy is PostgreSQL's own (`BASE_BACKUP`, what pg_basebackup asks for), needs no program, and stops nobody. The folder appears when it is
 * whole and on the disk. It holds all data with the passwords of the database's roles, and none of the service's keys.
 */
export async function takeBackup({ dataDir, backupDir, now, signal }: Taking): Promise<string> {
  const home = await realpath(join(dataDir, 'database'));
  const target = join(backupDir, backupName(now));
  const unfinished = `${target}${unfinishedSuffix}`;
  // PostgreSQL writes it, which as root's is another account than ours.
  const { uid, gid } = await stat(join(home, 'cluster'));
  const user = process.getuid?.() === 0 ? { uid, gid } : undefined;
  await prepareDataFolder(backupDir, user);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  try {
    if (user) await chown(unfinished, uid, gid);
    await baseBackup(await superuserUrl(dataDir, home), await realpath(unfinished), signal);
    await copyFile(join(home, 'password'), join(unfinished, 'password'));
    await proveWhole(join(unfinished, 'base.tar.gz'));
    await synced(join(unfinished, 'password'));
    await synced(unfinished);
    await rename(unfinished, target);
    await synced(backupDir);
    return target;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function superuserUrl(dataDir: string, home: string): Promise<string> {
  const url = new URL((await readFile(join(dataDir, 'database-url'), 'utf8')).trim());
  url.username = superuser;
  url.password = (await readFile(join(home, 'password'), 'utf8')).trim();
  return url.href;
}

async function baseBackup(url: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const client = await openClient(url, 'backup', { replication: 'true' });
  const giveUp = () => void client.end();
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await client.query(
      `BASE_BACKUP (LABEL 'operator integration service', CHECKPOINT 'fast', WAL, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256',
                    COMPRESSION 'gzip', TARGET 'server', TARGET_DETAIL '${folder.replaceAll("'", "''")}')`,
    );
  } finally {
    signal?.removeEventListener('abort', giveUp);
    await client.end();
  }
}

/** Reads it to its end, whose checksum tells a disk that has written something else. */
async function proveWhole(archive: string): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(archive), createGunzip(), nowhere);
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
