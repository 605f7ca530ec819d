import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createRunFolder } from '../support/run/runFolders.ts';

const program = path.resolve(import.meta.dirname, '../support/run/embeddedPostgresProcess.ts');

type Report = { url: string; lines: string[]; refusal?: string; message?: string };
type Instance = Report & { child: ChildProcess };

describe('the embedded database', () => {
  let folder: string;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    folder = await createRunFolder();
  });

  afterEach(async () => {
    await Promise.all([...running].map((child) => end(child, 'SIGTERM')));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<Instance> {
    const child = fork(program, [folder], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    running.add(child);
    child.once('exit', () => running.delete(child));
    const [report] = (await once(child, 'message')) as [Report];
    return { ...report, child };
  }

  test('is created at the first start, with a password and a URL for each role that only its owner reads, and stops cleanly', async () => {
    const { url, child } = await start();
    expect(await query(url, 'select current_database() as answer')).toBe('operator_integration');
    expect(await query(url, "select current_setting('listen_addresses') as answer")).toBe('127.0.0.1');
    for (const [file, role] of [
      ['database-url', 'oi_owner'],
      ['database-url.portal', 'oi_portal'],
      ['database-url.machine-api', 'oi_machine_api'],
      ['database-url.workers', 'oi_workers'],
    ] as const) {
      const urlFile = path.join(folder, file);
      expect(await query((await readFile(urlFile, 'utf8')).trim(), 'select current_user as answer')).toBe(role);
      expect((await stat(urlFile)).mode & 0o777).toBe(0o600);
    }
    expect((await stat(path.join(folder, 'database', 'password'))).mode & 0o777).toBe(0o600);

    expect(await end(child, 'SIGTERM')).toBe(0);
    await expect(access(pidFile())).rejects.toThrow('ENOENT');
    await expect(query(url, 'select 1 as answer')).rejects.toThrow('ECONNREFUSED');
  });

  test('keeps a committed row and its port when the instance is killed and started again', async () => {
    const first = await start();
    await query(first.url, "create table kept as select 'committed' as answer");
    const orphan = Number.parseInt(await readFile(pidFile(), 'utf8'), 10);
    await end(first.child, 'SIGKILL');
    expect(process.kill(orphan, 0)).toBe(true);

    const second = await start();
    expect(second.refusal).toBeUndefined();
    expect(second.lines.join()).toContain('left its PostgreSQL running');
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select answer from kept')).toBe('committed');
  });

  test('keeps a committed row when the instance and PostgreSQL are both killed', async () => {
    const first = await start();
    await query(first.url, "create table kept_twice as select 'committed' as answer");
    process.kill(Number.parseInt(await readFile(pidFile(), 'utf8'), 10), 'SIGKILL');
    await end(first.child, 'SIGKILL');

    const second = await start();
    expect(second.refusal).toBeUndefined();
    expect(await query(second.url, 'select answer from kept_twice')).toBe('committed');
  });

  test('does not outlive an instance that exits without stopping it', async () => {
    const { child } = await start();
    const postmaster = Number.parseInt(await readFile(pidFile(), 'utf8'), 10);
    expect(await end(child, 'SIGUSR2')).toBe(3);
    await gone(postmaster);
    await expect(access(pidFile())).rejects.toThrow('ENOENT');
  });

  test('refuses a second instance on the same folder and leaves the first one alone', async () => {
    const first = await start();
    const second = await start();
    expect(second.refusal).toBe('DataFolderInUseError');
    expect(second.message).toContain(folder);
    expect(second.message).toContain(`process ${first.child.pid})`);
    expect(await query(first.url, 'select 1 as answer')).toBe(1);
  });

  test('starts over the pid file of a process that is dead or is another program', async () => {
    await end((await start()).child, 'SIGTERM');
    await writeFile(pidFile(), `${process.pid}\n${path.dirname(pidFile())}\n`);
    const overAnotherProgram = await start();
    expect(overAnotherProgram.refusal).toBeUndefined();
    expect(overAnotherProgram.lines.join()).toContain('did not end cleanly');
    expect(await query(overAnotherProgram.url, 'select 1 as answer')).toBe(1);
  });

  function pidFile(): string {
    return path.join(folder, 'database', 'cluster', 'postmaster.pid');
  }
});

/** Resolves when a process that is not our child has ended; only the test's own time limit bounds the wait. */
async function gone(pid: number): Promise<void> {
  try {
    for (;;) {
      process.kill(pid, 0);
      await delay(20);
    }
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ESRCH');
  }
}

/** Signals a child and waits for its exit code (null if the signal ended it). */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await exit)[0];
}

/** The column `answer` of the first row. */
async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: unknown }>(sql);
    return rows[0]?.answer;
  } finally {
    await client.end();
  }
}
