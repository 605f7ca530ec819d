import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/database/embeddedPostgres.ts';
import { migrateDatabase } from '../../server/database/migrate.ts';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { CleanUps } from '../CleanUps.ts';
import { fillCorpus } from '../corpus.ts';
import { type Child, startChild } from '../programs/childProcess.ts';
import type { Received, ReceiverTask } from '../programs/webhookReceiver.ts';
import type { WebhookWorkerTask } from '../programs/webhookWorker.ts';

/** A database, a receiver for all hosts, and as many worker processes as a drill starts. All of it runs here, over loopback. */
export class DrillWorld {
  readonly databaseUrl: string;
  readonly clients: readonly number[];
  readonly #folder: string;
  readonly #receiver: Child;
  readonly #workerTask: WebhookWorkerTask;
  readonly #cleanUps: CleanUps;
  #postgres: EmbeddedPostgres;

  private constructor(
    postgres: EmbeddedPostgres,
    parts: { folder: string; clients: readonly number[]; receiver: Child; workerTask: WebhookWorkerTask; cleanUps: CleanUps },
  ) {
    this.#postgres = postgres;
    this.databaseUrl = postgres.url;
    this.clients = parts.clients;
    this.#folder = parts.folder;
    this.#receiver = parts.receiver;
    this.#workerTask = parts.workerTask;
    this.#cleanUps = parts.cleanUps;
  }

  /** One client for each entry of `shares`, with that many orders. `speed` is how fast the workers’ clocks run. */
  static async open({
    shares,
    hosts,
    speed = 1,
  }: {
    shares: readonly number[];
    hosts: readonly string[];
    speed?: number;
  }): Promise<DrillWorld> {
    const folder = await mkdtemp(path.join('/tmp', 'operator-integration-drill-'));
    await chmod(folder, 0o755);
    const cleanUps = new CleanUps();
    cleanUps.add(() => rm(folder, { recursive: true, force: true }));
    try {
      const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet, settings });
      const { identities } = await preparing(postgres, shares);
      const { caPem, certPem, keyPem: tlsKeyPem } = await ensureDevelopmentTls(path.join(folder, 'tls'), ['*.hooks.test']);
      const receiver = startChild('webhookReceiver');
      cleanUps.add(() => receiver.stop());
      const port = await receiver.ask<number>({ kind: 'listen', certPem, keyPem: tlsKeyPem, recording: true } satisfies ReceiverTask);
      const keyPem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
      const workerTask = { databaseUrl: postgres.url, keyPem, port, caPem, hosts, clock: { from: Date.now(), speed } };
      const clients = identities.map(({ clientNumber }) => clientNumber);
      const world = new DrillWorld(postgres, { folder, clients, receiver, workerTask, cleanUps });
      cleanUps.add(() => world.#postgres.stop());
      return world;
    } catch (error) {
      await cleanUps.run();
      throw error;
    }
  }

  /** The present moment of the workers’ clocks. */
  now(): Date {
    const { from, speed } = this.#workerTask.clock ?? { from: 0, speed: 1 };
    return new Date(from + (Date.now() - from) * speed);
  }

  async startWorker(): Promise<Child> {
    const child = startChild('webhookWorker');
    this.#cleanUps.add(() => child.kill());
    await child.ask(this.#workerTask);
    return child;
  }

  /** What was received since the last call. */
  received(): Promise<Received[]> {
    return this.#receiver.ask<Received[]>({ kind: 'take' } satisfies ReceiverTask);
  }

  async committed(): Promise<Set<string>> {
    return new Set(await this.#receiver.ask<string[]>({ kind: 'committed' } satisfies ReceiverTask));
  }

  async connect(): Promise<pg.Client> {
    const db = new pg.Client({ connectionString: this.databaseUrl });
    db.on('error', () => {});
    await db.connect();
    return db;
  }

  /** Kills PostgreSQL, and starts it again on its folder. */
  async killPostgres(): Promise<void> {
    const [pid = ''] = (await readFile(path.join(this.#folder, 'database', 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    await this.#postgres.exited;
    this.#postgres = await startEmbeddedPostgres({ dataDir: this.#folder, log: quiet, settings });
    if (this.#postgres.url !== this.databaseUrl) throw new Error('PostgreSQL came back at another address.');
  }

  close(): Promise<void> {
    return this.#cleanUps.run();
  }
}

const quiet = { info: () => {}, warn: () => {}, error: (message: string) => console.error(message) };
/** Commits are told exactly, because a drill compares attempts with them. */
const settings = { track_commit_timestamp: 'on' };

async function preparing(postgres: EmbeddedPostgres, shares: readonly number[]) {
  await migrateDatabase(postgres.url);
  return fillCorpus(postgres.url, shares);
}
