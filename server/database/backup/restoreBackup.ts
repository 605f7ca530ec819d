import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, chown, copyFile, lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { openClient } from '../connection/openPool.ts';
import { createCluster, type DatabaseLog, prepareDataFolder } from '../databaseCluster.ts';
import { withOwnCluster } from '../embeddedPostgres.ts';
import { findPostgresUser, type PostgresUser } from '../postgresUser.ts';

type Restore = {
  readonly backup: string;
  readonly dataDir: string;
  readonly log: DatabaseLog;
  readonly rolePrefix?: string | undefined;
  /** What has to be done in the database, by its owner's URL, before anybody may be served from it. */
  readonly secure: (ownerUrl: string) => Promise<void>;
};

/**
 * Makes the database of a data folder from a backup. It is in its place only once each file is as PostgreSQL has written it down in the backup's
 * manifest, PostgreSQL has started with it, and it is secured. Throws Error, with nothing changed, if the folder has a database already, the
 * backup is not whole, or `secure` throws.
 */
export async function restoreBackup({ backup, dataDir, log, rolePrefix, secure }: Restore): Promise<void> {
  const home = join(dataDir, 'database');
  if (await lstat(home).catch(() => undefined)) {
    throw new Error(`${home} exists, and a database is never written over. Stop the service and move that folder away first.`);
  }
  await refuseRunning(dataDir);
  const [archive, manifest, password] = ['base.tar.gz', 'backup_manifest', 'password'].map((name) => join(backup, name)) as [
    string,
    string,
    string,
  ];
  for (const file of [archive, manifest, password]) {
    const code = await access(file, constants.R_OK).then(() => null, codeOf);
    if (code === 'EACCES') throw new Error(`This account may not read ${file}. A backup that was copied has to be given to it (chown).`);
    if (code !== null) throw new Error(`${backup} is no backup of the service: it has no ${file.slice(backup.length + 1)}.`);
  }
  const user = await findPostgresUser();
  await prepareDataFolder(dataDir, user);
  const made = await createCluster(home, { dataDir, user, log }, async (folder) => {
    const cluster = join(folder, 'cluster');
    await mkdir(cluster, { mode: 0o700 });
    await unpack(archive, cluster);
    await compare(cluster, manifest);
    await copyFile(password, join(folder, 'password'));
    if (user) await giveTo(user, folder);
    const own = { clusterDir: cluster, password: (await readFile(password, 'utf8')).trim() };
    await withOwnCluster(own, { user, rolePrefix, log }, secure);
  });
  if (!made) throw new Error(`${home} has been made meanwhile, so a service was started. Stop it and move that folder away, too.`);
}

/** The database of a service that runs goes on in a folder that was moved away, and would be served beside the restored one. */
async function refuseRunning(dataDir: string): Promise<void> {
  const url = (await readFile(join(dataDir, 'database-url'), 'utf8').catch(() => '')).trim();
  if (url === '') return;
  const client = await openClient(url, 'start-check').catch(() => null);
  if (!client) return;
  await client.end();
  throw new Error(`A service runs with the data folder ${dataDir}. Stop it, and what starts it again, first.`);
}

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? '';

async function unpack(archive: string, cluster: string): Promise<void> {
  const child = spawn('tar', ['-xzf', archive, '-C', cluster, '--no-same-owner'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => (said += String(text)));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${archive} cannot be unpacked: ${said.trim()}`);
}

const manifestSchema = z.object({ Files: z.array(z.object({ Path: z.string(), Checksum: z.string() })) });

/** The log of changes is not in the manifest; PostgreSQL judges it itself. */
async function compare(cluster: string, manifest: string): Promise<void> {
  const { Files: files } = manifestSchema.parse(JSON.parse(await readFile(manifest, 'utf8')));
  for (const { Path: path, Checksum: checksum } of files) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(join(cluster, path)) as AsyncIterable<Buffer>) hash.update(chunk);
    if (hash.digest('hex') !== checksum) throw new Error(`The backup is damaged: ${path} is not as PostgreSQL wrote it.`);
  }
}

async function giveTo(user: PostgresUser, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  for (const entry of ['', ...entries]) await chown(join(folder, entry), user.uid, user.gid);
}
