import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openCluster, superuser } from './databaseCluster.ts';
import type { DatabaseCluster, DatabaseLog } from './databaseCluster.ts';
import { findFreePort } from './freePort.ts';
import { refuseLargeObjectsSql } from './roles/largeObjects.ts';
import { ensureLoginRoles, roleUrl } from './roles/loginRoles.ts';
import { roleNames } from './roles/roleNames.ts';
import { locatePostgresBinaries } from './postgresBinaries.ts';
import type { PostgresBinaries } from './postgresBinaries.ts';
import { findPostgresUser } from './postgresUser.ts';
import type { PostgresUser } from './postgresUser.ts';
import { freeCluster } from './postmasterProcess.ts';
import { spawnPostmaster } from './spawnPostmaster.ts';
import type { Postmaster, PostmasterExit } from './spawnPostmaster.ts';

const databaseName = 'operator_integration';
const attempts = 5;
/** A restored cluster replays what was written while it was copied, and begins from its start if that is broken off. */
const recoveryPatience = 60 * 60_000;

/** By which URL the owner and each process connect. They contain passwords, so never log them. */
export type DatabaseUrls = { readonly owner: string; readonly portal: string; readonly machineApi: string; readonly workers: string };

/** A running embedded PostgreSQL. */
export type EmbeddedPostgres = {
  /** The connection URL of the service's database, as superuser. It contains the password, so never log it. */
  url: string;
  /** The same for the owner and for each process's role. */
  urls: DatabaseUrls;
  /** Waits a moment for our own clients to leave, shuts PostgreSQL down and resolves when it has ended. May be called repeatedly. */
  stop(): Promise<void>;
  /** Settles when PostgreSQL ends, for whatever reason. The caller knows whether it asked for that. */
  exited: Promise<PostmasterExit>;
};

/**
 * Starts the PostgreSQL that lives in `<dataDir>/database`. Makes it at the first start, and recovers it after a crash of ours. It listens
 * only on the loopback address, on the same port as last time if that is free. The owner's URL is written to `<dataDir>/database-url`
 * (0600), and that of each process to `database-url.portal` and so on, so that they can be started beside it. `options.settings` are
 * PostgreSQL settings by name, in addition to ours, and `options.binaries` other programs than the package's. Throws DataFolderInUseError
 * while another living instance is working on the folder, and otherwise an Error that says what to do.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: DatabaseLog;
  settings?: Record<string, string>;
  rolePrefix?: string | undefined;
  binaries?: PostgresBinaries | undefined;
}): Promise<EmbeddedPostgres> {
  const dataDir = path.resolve(options.dataDir);
  const { log } = options;
  const user = await findPostgresUser();
  const binaries = options.binaries ?? (await locatePostgresBinaries(user));
  const cluster = await openCluster({ dataDir, user, binaries, log });
  const urlFile = path.join(dataDir, 'database-url');
  const { postmaster, port } = await launch({
    dataDir,
    cluster,
    binaries,
    user,
    log,
    settings: options.settings ?? {},
    urlFile,
  });
  const url = connectionUrl(cluster, port, databaseName);
  const adminUrl = connectionUrl(cluster, port, 'postgres');
  const urls = urlsOf(url, options.rolePrefix);
  try {
    await ensureDatabase(adminUrl, options.rolePrefix);
    await writePrivately(urlFile, `${urls.owner}\n`);
    await writePrivately(`${urlFile}.portal`, `${urls.portal}\n`);
    await writePrivately(`${urlFile}.machine-api`, `${urls.machineApi}\n`);
    await writePrivately(`${urlFile}.workers`, `${urls.workers}\n`);
  } catch (error) {
    await postmaster.stop();
    throw error;
  }
  log.info(`PostgreSQL is listening on 127.0.0.1:${port}`);
  const stop = async (): Promise<void> => {
    await waitUntilUnused(adminUrl);
    await postmaster.stop();
  };
  let stopping: Promise<void> | undefined;
  return { url, urls, exited: postmaster.exited, stop: () => (stopping ??= stop()) };
}

/** Runs the PostgreSQL of a cluster that serves nobody yet while `work` connects as the owner of the service's database, by the URL that it is given. */
export async function withOwnCluster(
  cluster: DatabaseCluster,
  { user, rolePrefix, log }: { user: PostgresUser | undefined; rolePrefix: string | undefined; log: DatabaseLog },
  work: (ownerUrl: string) => Promise<void>,
): Promise<void> {
  const binaries = await locatePostgresBinaries(user);
  const port = await findFreePort();
  const postmaster = await spawnPostmaster({ binaries, user, cluster, port, settings: {}, log, patienceMs: recoveryPatience });
  try {
    await ensureDatabase(connectionUrl(cluster, port, 'postgres'), rolePrefix);
    await work(urlsOf(connectionUrl(cluster, port, databaseName), rolePrefix).owner);
  } finally {
    await postmaster.stop();
  }
}

type LaunchOptions = {
  dataDir: string;
  cluster: DatabaseCluster;
  binaries: PostgresBinaries;
  user: PostgresUser | undefined;
  log: DatabaseLog;
  settings: Record<string, string>;
  urlFile: string;
};

/** Tries again if the port has been taken in the meantime, or if children of a killed PostgreSQL are still exiting. */
async function launch(options: LaunchOptions): Promise<{ postmaster: Postmaster; port: number }> {
  const { dataDir, cluster, binaries, user, log, settings } = options;
  const usualPort = await lastPort(options.urlFile);
  for (let attempt = 1; ; attempt += 1) {
    const found = await freeCluster(cluster.clusterDir, dataDir);
    if (found === 'stopped orphan') log.warn('The last run was killed and left its PostgreSQL running, which has now been stopped');
    if (found === 'removed pid file') log.warn('The last run did not end cleanly, so PostgreSQL is recovering');
    const port = await findFreePort(attempt === 1 ? usualPort : undefined);
    try {
      return { postmaster: await spawnPostmaster({ binaries, user, cluster, port, settings, log }), port };
    } catch (error) {
      if (attempt === attempts || !isPassing(error)) throw error;
      await delay(100 * attempt);
    }
  }
}

/** A pid file means that another instance started at the same moment. The next look at the folder names it. */
function isPassing(error: unknown): boolean {
  return /could not bind|pre-existing shared memory block|lock file ".*" already exists/.test(String(error));
}

async function lastPort(urlFile: string): Promise<number | undefined> {
  const text = await readFile(urlFile, 'utf8').catch(() => '');
  return Number(URL.parse(text.trim())?.port) || undefined;
}

function connectionUrl({ password }: DatabaseCluster, port: number, database: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
}

/** What the owner and the processes connect with, from the superuser's URL of a cluster of ours. */
export function urlsOf(superuserUrl: string, prefix?: string): DatabaseUrls {
  const of = (login: Parameters<typeof roleUrl>[1]) => roleUrl(superuserUrl, login, prefix);
  return { owner: of('owner'), portal: of('portal'), machineApi: of('machine_api'), workers: of('workers') };
}

/** The superuser makes the roles and the database, which belongs to the owner; everything in it is the owner's. */
async function ensureDatabase(adminUrl: string, rolePrefix: string | undefined): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await ensureLoginRoles(client, adminUrl, rolePrefix);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName} owner ${roleNames(rolePrefix).owner}`);
  });
  const url = new URL(adminUrl);
  url.pathname = databaseName;
  await withClient(url.href, (client) => client.query(refuseLargeObjectsSql));
}

/**
 * A pool's end resolves before its sockets are closed, and a client that is cut off would fail for no good reason. Waits at most a second.
 */
async function waitUntilUnused(adminUrl: string): Promise<void> {
  const others = "select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";
  try {
    await withClient(adminUrl, async (client) => {
      for (let look = 0; look < 50; look += 1) {
        const { rows } = await client.query<{ others: number }>(others);
        if (rows[0]?.others === 0) return;
        await delay(20);
      }
    });
  } catch {
    // PostgreSQL may have ended or have no free connection. It can be stopped without asking its clients.
  }
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function writePrivately(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
