import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** The compiled programs, as they run on a server. */
const programs = { portal: 'server/main.js', 'machine-api': 'rest-api/main.js', workers: 'workers/main.js' } as const;
export type ProcessKind = keyof typeof programs;

/** The folder of what was built together with this drill. */
export const thisRelease = path.join(import.meta.dirname, '../..');

const patience = 60_000;

/** One of the installation's processes, with its own ports. It can be stopped, killed and started again. */
export class ServiceProcess {
  readonly name: string;
  readonly kind: ProcessKind;
  readonly number: number;
  readonly port: number;
  readonly metricsPort: number;
  readonly #env: NodeJS.ProcessEnv;
  readonly #logFile: string;
  /** The folder of the built programs that it runs. */
  release = thisRelease;
  #process: ChildProcess | undefined;

  constructor(kind: ProcessKind, number: number, parts: { port: number; metricsPort: number; env: NodeJS.ProcessEnv; folder: string }) {
    this.kind = kind;
    this.number = number;
    this.name = `${kind} ${number}`;
    this.port = parts.port;
    this.metricsPort = parts.metricsPort;
    this.#env = parts.env;
    this.#logFile = path.join(parts.folder, `${kind}-${number}.log`);
  }

  /** Starts it. Resolves when `/readyz` says that it can work. */
  async start(): Promise<void> {
    const log = await open(this.#logFile, 'a');
    const program = path.join(this.release, programs[this.kind]);
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: this.#env,
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    this.#process = child;
    const began = performance.now();
    while (!(await this.ready())) {
      if (child.exitCode !== null) throw new Error(`${this.name} ended with ${child.exitCode}; ${this.#logFile} says why.`);
      if (performance.now() - began > patience) throw new Error(`${this.name} is not ready; ${this.#logFile} says why.`);
      await delay(50);
    }
  }

  /** Why requests were answered with 500, by its log. */
  async failedRequests(): Promise<string[]> {
    const lines = (await readFile(this.#logFile, 'utf8')).split('\n').filter((line) => line.includes('"msg":"request failed"'));
    return lines.map((line) => `${this.name}: ${line}`);
  }

  get pid(): number | undefined {
    return this.#process?.exitCode === null ? this.#process.pid : undefined;
  }

  /** What `/readyz` on its metrics port says. */
  async ready(): Promise<boolean> {
    return (await this.readyStatus()) === 200;
  }

  async readyStatus(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.metricsPort}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(
      () => undefined,
    );
    await answer?.body?.cancel();
    return answer?.status ?? 0;
  }

  /** Ends it with a signal. Resolves with its exit code and how long it took, in seconds. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null; seconds: number }> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return { code: child?.exitCode ?? null, seconds: 0 };
    const began = performance.now();
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    const [code] = await exited;
    return { code, seconds: (performance.now() - began) / 1_000 };
  }
}
