import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { PostgresNode } from './PostgresNode.ts';

const run = promisify(execFile);
const standbyName = 'standby';

/** What a copy of a running cluster leaves out: its processes, its log of changes and its slots. */
const leftOut = ['postmaster.pid', 'postmaster.opts', 'pg_wal/*', 'pg_replslot/*', 'pg_stat_tmp/*'];

/** A primary with a synchronous standby, made with what PostgreSQL itself brings: a low-level backup, streaming and `pg_promote()`. */
export class PostgresPair {
  readonly primary: PostgresNode;
  #standby: PostgresNode | undefined;
  readonly #folder: string;

  private constructor(primary: PostgresNode, folder: string) {
    this.primary = primary;
    this.#folder = folder;
  }

  /** Makes and starts the primary, without a standby. */
  static async open(folder: string): Promise<PostgresPair> {
    const primary = await PostgresNode.open(path.join(folder, 'primary'));
    await primary.start();
    return new PostgresPair(primary, folder);
  }

  /** What there is of it, by name. */
  get nodes(): readonly { readonly name: 'primary' | 'standby'; readonly node: PostgresNode }[] {
    return [{ name: 'primary', node: this.primary }, ...(this.#standby ? [{ name: 'standby', node: this.#standby } as const] : [])];
  }

  get standby(): PostgresNode {
    if (!this.#standby) throw new Error('There is no standby yet.');
    return this.#standby;
  }

  /** Copies the primary and lets the copy stream from it; from then on no commit is answered that the standby has not written down. */
  async addStandby(): Promise<void> {
    await this.primary.ask(`select pg_create_physical_replication_slot('${standbyName}', true)`);
    const folder = path.join(this.#folder, 'standby');
    const standby = await this.#copy(folder);
    await this.#makeStandby(standby);
    await standby.start();
    await this.primary.ask(`alter system set synchronous_standby_names = '${standbyName}'`);
    await this.primary.ask('select pg_reload_conf()');
    await this.#untilSynchronous();
    this.#standby = standby;
  }

  /** Makes the standby the primary, as a cluster manager does. Resolves when it takes writes. */
  async promote(): Promise<void> {
    const done = await this.standby.ask<{ promoted: boolean }>('select pg_promote(true, 30) as promoted');
    if (done?.promoted !== true) throw new Error('The standby was not promoted.');
  }

  async stop(): Promise<void> {
    await this.#standby?.stop();
    await this.primary.stop();
  }

  /** The label of the backup has to be read in the session that began it, so that session stays open meanwhile. */
  async #copy(folder: string): Promise<PostgresNode> {
    const session = new pg.Client({ connectionString: this.primary.url() });
    await session.connect();
    try {
      await session.query("select pg_backup_start('standby', true)");
      await run('cp', ['-a', path.join(this.primary.folder, '.'), folder]);
      const { rows } = await session.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      const standby = await PostgresNode.open(folder);
      for (const name of leftOut) await removeAll(path.join(standby.cluster.clusterDir, name));
      await this.#write(standby, 'backup_label', rows[0]?.labelfile ?? '');
      return standby;
    } finally {
      await session.end();
    }
  }

  async #makeStandby(standby: PostgresNode): Promise<void> {
    const source = new URL(this.primary.url());
    const connection = `host=127.0.0.1 port=${source.port} user=${source.username} password=${source.password} application_name=${standbyName}`;
    const own = await readFile(path.join(standby.cluster.clusterDir, 'postgresql.auto.conf'), 'utf8');
    await this.#write(
      standby,
      'postgresql.auto.conf',
      `${own}\nprimary_conninfo = '${connection}'\nprimary_slot_name = '${standbyName}'\n`,
    );
    await this.#write(standby, 'standby.signal', '');
  }

  async #write(node: PostgresNode, name: string, text: string): Promise<void> {
    await node.write(path.join(node.cluster.clusterDir, name), text);
  }

  async #untilSynchronous(): Promise<void> {
    for (let look = 0; look < 600; look += 1) {
      const row = await this.primary.ask<{ sync_state: string }>(
        `select sync_state from pg_stat_replication where application_name = '${standbyName}'`,
      );
      if (row?.sync_state === 'sync') return;
      await delay(50);
    }
    throw new Error('The standby does not stream.');
  }
}

async function removeAll(pattern: string): Promise<void> {
  if (!pattern.endsWith('/*')) return rm(pattern, { force: true });
  // Only what is in the folder goes; PostgreSQL expects the folder.
  await run('find', [path.dirname(pattern), '-mindepth', '1', '-delete']);
}
