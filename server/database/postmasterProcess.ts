import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The server setting in which a running PostgreSQL states which process started it. */
export const ownerSetting = 'operator_integration.owner';

/** Another living instance is working on the data folder. Nothing was changed. */
class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
  readonly dataDir: string;
  /** The process to stop: the instance, or PostgreSQL itself if it was started by hand. */
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super(
      `The data folder ${dataDir} is already in use by another instance (process ${pid}). ` +
        'Stop that instance first, or set DATA_DIR to a different folder for this one.',
    );
    this.dataDir = dataDir;
    this.pid = pid;
  }
}

type ProcessFacts = { parent: number; commandLine: string };

/**
 * Prepares a cluster folder for a start: shuts down a PostgreSQL whose instance was killed, and removes a pid file without a living
 * PostgreSQL. Throws DataFolderInUseError (which names `dataDir`) while the instance that started it is alive. Returns what it had to do,
 * for the log.
 */
export async function freeCluster(clusterDir: string, dataDir: string): Promise<'free' | 'removed pid file' | 'stopped orphan'> {
  const pidFile = path.join(clusterDir, 'postmaster.pid');
  const pid = await readPid(pidFile);
  if (pid === undefined) return 'free';
  const facts = await readProcessFacts(pid);
  if (!facts || !runsOn(facts, clusterDir)) {
    await rm(pidFile, { force: true });
    return 'removed pid file';
  }
  const owner = livingOwner(facts);
  if (owner !== undefined) throw new DataFolderInUseError(dataDir, owner === 0 ? pid : owner);
  await stopOrphan(pid);
  await rm(pidFile, { force: true });
  return 'stopped orphan';
}

/** The process id in the first line of a pid file, or `undefined` without a file. A torn file counts as no process. */
async function readPid(pidFile: string): Promise<number | undefined> {
  const text = await readFile(pidFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : Number.parseInt(text, 10) || 0;
}

/**
 * A child whose parent has died is given to another process (1, or a subreaper). So the parent that the kernel names is the owner exactly
 * for as long as the owner lives. Somebody else started a PostgreSQL without our setting; 0 stands for them.
 */
function livingOwner(facts: ProcessFacts): number | undefined {
  const owner = new RegExp(`${ownerSetting.replace('.', '\\.')}=(\\d+)`).exec(facts.commandLine)?.[1];
  if (owner === undefined) return 0;
  return Number(owner) === facts.parent ? facts.parent : undefined;
}

function runsOn(facts: ProcessFacts, clusterDir: string): boolean {
  return facts.commandLine.includes(`-D ${clusterDir} `);
}

async function readProcessFacts(pid: number): Promise<ProcessFacts | undefined> {
  if (pid <= 0) return undefined;
  return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
}

async function readFromProc(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const [commandLine, status] = await Promise.all([readFile(`/proc/${pid}/cmdline`, 'utf8'), readFile(`/proc/${pid}/stat`, 'utf8')]);
    // A zombie keeps its number but no longer has a command line.
    if (commandLine === '') return undefined;
    const afterName = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(afterName[1]), commandLine: commandLine.replaceAll('\0', ' ') };
  } catch {
    return undefined;
  }
}

async function readFromPs(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const { stdout } = await run('ps', ['-ww', '-o', 'ppid=,stat=,args=', '-p', String(pid)]);
    const [, parent, state, args] = /^\s*(\d+)\s+(\S+)\s+(.*)$/m.exec(stdout) ?? [];
    if (parent === undefined || state?.startsWith('Z')) return undefined;
    return { parent: Number(parent), commandLine: `${args ?? ''} ` };
  } catch {
    return undefined;
  }
}

/** Fast shutdown, then immediate shutdown, then kill. After the last two, the next start replays the log. */
async function stopOrphan(pid: number): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
  for (const [signal, patience] of steps) {
    sendSignal(pid, signal);
    const giveUpAt = Date.now() + patience;
    while (Date.now() < giveUpAt) {
      if (!(await readProcessFacts(pid))) return;
      await delay(20);
    }
  }
  throw new Error(
    `The PostgreSQL of a killed instance is still running (process ${pid}) and could not be stopped. Stop this process by hand.`,
  );
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
