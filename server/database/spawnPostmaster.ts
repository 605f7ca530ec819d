import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresEnvironment } from './databaseCluster.ts';
import type { DatabaseCluster, DatabaseLog } from './databaseCluster.ts';
import type { PostgresBinaries } from './postgresBinaries.ts';
import type { PostgresUser } from './postgresUser.ts';
import { ownerSetting } from './postmasterProcess.ts';

/** How PostgreSQL ended. */
export type PostmasterExit = { code: number | null; signal: NodeJS.Signals | null };

/** A PostgreSQL that accepts connections. */
export type Postmaster = { exited: Promise<PostmasterExit>; stop(): Promise<void> };

/** How long PostgreSQL may take until it accepts connections. */
const startPatience = 60_000;

/** Fast shutdown, then immediate shutdown (the next start recovers from it), then kill; each with the time it is given, in milliseconds. */
const stopSteps: [NodeJS.Signals, number][] = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/**
 * Starts PostgreSQL on a cluster and resolves when it accepts connections. It gets a process group of its own, so that Ctrl-C in a terminal
 * reaches only us and we decide when the database ends. Throws an Error with PostgreSQL's own message if it ends before it is ready or
 * takes longer than `patienceMs` (a minute).
 */
export async function spawnPostmaster(options: {
  binaries: PostgresBinaries;
  user: PostgresUser | undefined;
  cluster: DatabaseCluster;
  port: number;
  settings: Record<string, string>;
  log: DatabaseLog;
  patienceMs?: number;
}): Promise<Postmaster> {
  const { binaries, user, cluster, port, settings, log, patienceMs = startPatience } = options;
  const child = spawn(binaries.postgres, ['-D', cluster.clusterDir, ...settingArguments({ ...fixedSettings(port), ...settings })], {
    ...user,
    detached: true,
    cwd: '/',
    env: postgresEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<PostmasterExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  let stopping = false;
  // However this process ends, PostgreSQL does not outlive it. Only after SIGKILL does the next start have to stop it.
  const endBeside = () => child.kill(stopping ? 'SIGQUIT' : 'SIGINT');
  process.on('exit', endBeside);
  void exited.then(() => process.off('exit', endBeside));
  const stop = (): Promise<void> => {
    stopping = true;
    return stopProcess(child, exited);
  };
  try {
    await waitUntilReady(child, child.stderr, log, patienceMs);
  } catch (error) {
    await stop();
    throw error;
  }
  return { exited, stop };
}

/**
 * The log leaves out errors of statements, because their texts may contain what users entered. The process that caused them gets them in
 * any case.
 */
function fixedSettings(port: number): Record<string, string> {
  return {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    [ownerSetting]: String(process.pid),
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    timezone: 'UTC',
  };
}

function settingArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function waitUntilReady(child: ChildProcess, stderr: Readable, log: DatabaseLog, patienceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    let isReady = false;
    const timer = setTimeout(
      () => reject(new Error(`PostgreSQL was not ready within ${patienceMs / 1_000} seconds: ${said.join('\n')}`)),
      patienceMs,
    );
    createInterface({ input: stderr }).on('line', (line) => {
      // FATAL ends one session (a wrong password, a forced disconnection), PANIC ends all of them.
      if (line.startsWith('FATAL')) log.warn(`PostgreSQL: ${line}`);
      if (line.startsWith('PANIC')) log.error(`PostgreSQL: ${line}`);
      if (isReady) return;
      said.push(line);
      if (!line.includes('ready to accept connections')) return;
      isReady = true;
      clearTimeout(timer);
      resolve();
    });
    child.once('error', (cause) => {
      clearTimeout(timer);
      reject(new Error(`PostgreSQL could not be started: ${cause.message}`, { cause }));
    });
    child.once('close', () => {
      clearTimeout(timer);
      reject(new Error(`PostgreSQL stopped before it was ready: ${said.join('\n')}`));
    });
  });
}

async function stopProcess(child: ChildProcess, exited: Promise<PostmasterExit>): Promise<void> {
  for (const [signal, patience] of stopSteps) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const timer = new AbortController();
    const timeout = delay(patience, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([exited, timeout]);
    timer.abort();
  }
}
