import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, open, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseCluster, openCluster, postgresEnvironment, superuser } from '../../server/database/databaseCluster.ts';
import { findFreePort } from '../../server/database/freePort.ts';
import { locatePostgresBinaries } from '../../server/database/postgresBinaries.ts';
import { findPostgresUser } from '../../server/database/postgresUser.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';

const quiet = { info: () => {}, warn: () => {}, error: (message: string) => console.error(message) };

const tlsFiles = { ssl_cert_file: 'certPem', ssl_key_file: 'keyPem' } as const;

/**
 * One PostgreSQL of a drill, which can be killed like a machine that loses its power. It listens on the loopback address, with TLS for
 * clients that ask for it.
 */
export class PostgresNode {
  readonly folder: string;
  readonly cluster: DatabaseCluster;
  readonly port: number;
  readonly #settings: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  private constructor(folder: string, cluster: DatabaseCluster, port: number, settings: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.cluster = cluster;
    this.port = port;
    this.#settings = settings;
  }

  /** Opens the cluster in this folder, and makes it first if there is none. Does not start it. */
  static async open(folder: string, settings: Readonly<Record<string, string>> = {}): Promise<PostgresNode> {
    const user = await findPostgresUser();
    const binaries = await locatePostgresBinaries(user);
    const cluster = await openCluster({ dataDir: folder, user, binaries, log: quiet });
    return new PostgresNode(folder, cluster, await findFreePort(), settings);
  }

  /** Its URL as superuser. */
  url(database = 'postgres'): string {
    return `postgres://${superuser}:${this.cluster.password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts it, as a standby if its folder says so. Resolves when it answers. */
  async start(): Promise<void> {
    const user = await findPostgresUser();
    const { postgres } = await locatePostgresBinaries(user);
    const settings = {
      ...(await this.#tlsSettings()),
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '300',
      ...this.#settings,
    };
    const log = await open(path.join(this.folder, 'postgres.log'), 'a');
    const started = spawn(
      postgres,
      ['-D', this.cluster.clusterDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...user, detached: true, cwd: '/', env: postgresEnvironment, stdio: ['ignore', 'ignore', log.fd] },
    );
    await log.close();
    this.#process = started;
    for (;;) {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended; ${path.join(this.folder, 'postgres.log')} says why.`);
      if (await this.ask('select true as answers').catch(() => undefined)) return;
      await delay(50);
    }
  }

  /** The authority of its certificate. */
  get caFile(): string {
    return path.join(this.folder, 'tls', 'ca.pem');
  }

  async #tlsSettings(): Promise<Record<string, string>> {
    const tls = await ensureDevelopmentTls(path.dirname(this.caFile));
    const settings: Record<string, string> = { ssl: 'on' };
    for (const [setting, part] of Object.entries(tlsFiles)) {
      const file = path.join(this.cluster.clusterDir, `${setting}.pem`);
      await this.write(file, tls[part]);
      settings[setting] = file;
    }
    return settings;
  }

  /** Writes a file that only PostgreSQL can read. */
  async write(file: string, text: string): Promise<void> {
    await writeFile(file, text, { mode: 0o600 });
    const user = await findPostgresUser();
    if (user) await chown(file, user.uid, user.gid);
  }

  /** One statement as superuser, on a connection of its own. Resolves with its first row. */
  async ask<Row extends object>(text: string, parameters: readonly unknown[] = [], database = 'postgres'): Promise<Row | undefined> {
    return (await this.rows<Row>(text, parameters, database))[0];
  }

  async rows<Row extends object>(text: string, parameters: readonly unknown[] = [], database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database), connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text, [...parameters])).rows;
    } finally {
      await client.end();
    }
  }

  /** The IDs of its processes, the postmaster's first; none while it is stopped. */
  async processes(): Promise<number[]> {
    const postmaster = this.#process;
    if (postmaster?.pid === undefined || postmaster.exitCode !== null) return [];
    return [postmaster.pid, ...(await childrenOf(postmaster.pid))];
  }

  /** Kills all of its processes at once with SIGKILL. */
  async kill(): Promise<void> {
    const postmaster = this.#process;
    if (postmaster?.pid === undefined || postmaster.exitCode !== null) return;
    const exited = once(postmaster, 'exit');
    for (const pid of await this.processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
    }
    await exited;
  }

  /** Shuts it down at once; the next start recovers. */
  async stop(): Promise<void> {
    const postmaster = this.#process;
    if (!postmaster || postmaster.exitCode !== null || postmaster.signalCode !== null) return;
    const exited = once(postmaster, 'exit');
    postmaster.kill('SIGQUIT');
    await exited;
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, ppid] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (Number(ppid) === parent) children.push(Number(name));
  }
  return children;
}
