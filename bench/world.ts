import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { startEmbeddedPostgres } from '../server/database/embeddedPostgres.ts';
import { migrateDatabase } from '../server/database/migrate.ts';
import { ensureDevelopmentTls } from '../server/platform/developmentTls.ts';
import { startChild, type Child } from './programs/childProcess.ts';
import { CleanUps } from './CleanUps.ts';
import { fillCorpus, type ClientIdentity } from './corpus.ts';
import type { ServerTask } from './programs/servers.ts';

export const integrations = 100;

/** How many orders are shared with each client: ten pages with the first, which is also measured alone, and one page with each other. */
export const fullFeeds: readonly number[] = Array.from({ length: integrations }, (_, index) => (index === 0 ? 5_000 : 500));
export const emptyFeeds: readonly number[] = Array.from({ length: integrations }, () => 0);

export type ServerName = 'bareServer' | 'serviceServer' | 'admissionServer' | 'naiveServer';

/**
 * Everything that a benchmark needs: an embedded PostgreSQL with data, and programs that end with it. All of it runs here, over loopback.
 */
export class World {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly identities: readonly ClientIdentity[];
  readonly caPem: string;
  /** What each server must know. */
  readonly serverTask: ServerTask;
  readonly #cleanUps: CleanUps;

  private constructor(parts: Pick<World, 'folder' | 'databaseUrl' | 'identities' | 'caPem'>, task: ServerTask, cleanUps: CleanUps) {
    this.folder = parts.folder;
    this.databaseUrl = parts.databaseUrl;
    this.identities = parts.identities;
    this.caPem = parts.caPem;
    this.serverTask = task;
    this.#cleanUps = cleanUps;
  }

  /** Makes one client for each entry of `shares`, with that many shared orders. */
  static async open(shares: readonly number[]): Promise<World> {
    const folder = await mkdtemp(path.join('/tmp', 'operator-integration-bench-'));
    await chmod(folder, 0o755);
    const cleanUps = new CleanUps();
    cleanUps.add(() => rm(folder, { recursive: true, force: true }));
    try {
      const quiet = { info: () => {}, warn: () => {}, error: (message: string) => console.error(message) };
      const starting = startEmbeddedPostgres({ dataDir: folder, log: quiet });
      cleanUps.add(async () => (await starting).stop());
      const postgres = await starting;
      await migrateDatabase(postgres.url);
      const { identities, authorityPems } = await fillCorpus(postgres.url, shares);
      const tls = await ensureDevelopmentTls(path.join(folder, 'tls'));
      const task = { databaseUrl: postgres.url, cursorKeyHex: randomBytes(32).toString('hex'), tls, authorityPems, answers: {} };
      return new World({ folder, databaseUrl: postgres.url, identities, caPem: tls.caPem }, task, cleanUps);
    } catch (error) {
      await cleanUps.run();
      throw error;
    }
  }

  /** Starts one of `bench/programs`; it ends with the world. */
  start(name: string): Child {
    const child = startChild(name);
    this.#cleanUps.add(() => child.stop());
    return child;
  }

  /** Starts a server on a free port. */
  startServer(name: ServerName, answers: ServerTask['answers'] = {}): Promise<number> {
    return this.start(name).ask<number>({ ...this.serverTask, answers } satisfies ServerTask);
  }

  close(): Promise<void> {
    return this.#cleanUps.run();
  }
}
