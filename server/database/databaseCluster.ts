import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, readdir, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sharedStateFolder } from './postgresBinaries.ts';
import type { PostgresBinaries } from './postgresBinaries.ts';
import { findClosedFolder } from './postgresUser.ts';
import type { PostgresUser } from './postgresUser.ts';

/** Where progress goes; a pino logger fits. */
export type DatabaseLog = Record<'info' | 'warn' | 'error', (message: string) => void>;

/** An initialised cluster: the real path of its folder, and the superuser's password. */
export type DatabaseCluster = { clusterDir: string; password: string };

/** The superuser of every cluster that is made here. */
export const superuser = 'postgres';

/**
 * PostgreSQL gets none of our variables, because our secrets do not belong in another process. Its messages are in English, because we read
 * them.
 */
export const postgresEnvironment: NodeJS.ProcessEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Opens the cluster in `<dataDir>/database`, and makes it first if there is none. A new cluster is built in a folder beside it, which is
 * renamed once it is complete. So a crash leaves nothing half-finished, and of two simultaneous first starts one wins. Throws an Error that
 * names the folder if it cannot be made or PostgreSQL's user cannot enter it.
 */
export async function openCluster(options: {
  dataDir: string;
  user: PostgresUser | undefined;
  binaries: PostgresBinaries;
  log: DatabaseLog;
}): Promise<DatabaseCluster> {
  const home = path.join(options.dataDir, 'database');
  await prepareDataFolder(options.dataDir, options.user);
  if (!(await lstat(home).catch(() => undefined)))
    await createCluster(home, options, (folder) => initialise(folder, options.user, options.binaries));
  const realHome = await realpath(home).catch((cause: unknown) => {
    throw new Error(
      `${home} points to a folder that no longer exists. Restore the folder, or remove the link to start with an empty database.`,
      { cause },
    );
  });
  const closed = options.user && (await findClosedFolder(realHome, options.user));
  if (closed) throw new Error(closedFolderMessage(closed));
  const password = (await readFile(path.join(realHome, 'password'), 'utf8')).trim();
  return { clusterDir: path.join(realHome, 'cluster'), password };
}

/** Makes a folder of data if there is none, and lets PostgreSQL's user pass through it. */
export async function prepareDataFolder(dataDir: string, user: PostgresUser | undefined): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: user ? 0o711 : 0o700 });
  if (!user) return;
  const facts = await stat(dataDir);
  // PostgreSQL's user must be able to pass through to its own folder. It still cannot list this one, and our files are 0600.
  if (facts.uid === 0 && (facts.mode & 0o001) === 0) await chmod(dataDir, facts.mode | 0o011);
}

/** Makes `home`, unless somebody else makes it meanwhile (false). It appears when `fill` has put the cluster into `<folder>/cluster` and the superuser's password into `<folder>/password`. */
export async function createCluster(
  home: string,
  { dataDir, user, log }: { dataDir: string; user: PostgresUser | undefined; log: DatabaseLog },
  fill: (folder: string) => Promise<void>,
): Promise<boolean> {
  const closed = user && (await findClosedFolder(dataDir, user));
  const parent = closed ? sharedStateFolder : dataDir;
  if (closed) await mkdir(parent, { recursive: true, mode: 0o755 }).catch((cause: unknown) => rejectClosed(closed, cause));
  await removeUnfinished(parent);
  log.info(`First start: creating the database in ${home}`);
  const unfinished = await mkdtemp(path.join(parent, `database.new-${process.pid}-`));
  try {
    await fill(unfinished);
    if (closed) await linkElsewhere(unfinished, home, closed, log);
    else await rename(unfinished, home);
    return true;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
    return false;
  }
}

/** Runs initdb in `<folder>/cluster` with a new random password, which it also writes to `<folder>/password`. */
async function initialise(folder: string, user: PostgresUser | undefined, { initdb }: PostgresBinaries): Promise<void> {
  const clusterDir = path.join(folder, 'cluster');
  const passwordFile = path.join(folder, 'password');
  await mkdir(clusterDir, { mode: 0o700 });
  await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (user) {
    for (const entry of [clusterDir, passwordFile, folder]) await chown(entry, user.uid, user.gid);
  }
  await runToEnd(
    initdb,
    [
      `--pgdata=${clusterDir}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    user,
  );
}

function runToEnd(program: string, args: string[], user: PostgresUser | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...user,
      cwd: '/',
      env: postgresEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    child.once('error', (cause) => reject(new Error(`${program} could not be started: ${cause.message}`, { cause })));
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} failed (${signal ?? `code ${code}`}): ${complaint.trim()}`));
    });
  });
}

/** If a private parent folder (such as /root) keeps PostgreSQL's user out, the files are put elsewhere, behind a link. */
async function linkElsewhere(unfinished: string, home: string, closed: string, log: DatabaseLog): Promise<void> {
  const target = unfinished.replace(/\.new-\d+-/, '-');
  await rename(unfinished, target);
  try {
    await symlink(target, home);
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  }
  log.warn(
    `PostgreSQL cannot run as root, and its user has no access to ${closed}, so the database is stored in ${target}. ` +
      'To store it elsewhere, set DATA_DIR to a folder that every user can access.',
  );
}

/** Removes the leftovers of first starts that were interrupted. */
async function removeUnfinished(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^database\.new-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(path.join(parent, name), { recursive: true, force: true });
  }
}

/** Whether a process with this number exists, no matter who owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isTaken(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function closedFolderMessage(folder: string): string {
  return (
    `PostgreSQL cannot run as root. It runs as the user "postgres", who has no access to ${folder}. ` +
    'Set DATA_DIR to a folder that every user can access, start the service as another user, or set DATABASE_URL to an existing server.'
  );
}

function rejectClosed(folder: string, cause: unknown): never {
  throw new Error(closedFolderMessage(folder), { cause });
}
