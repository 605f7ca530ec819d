import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Surprise } from './Surprise.ts';

const program = fileURLToPath(new URL('../docs/receivers/typescript/receiver.ts', import.meta.url));

export type ReceiverSettings = {
  /** The registered URL, on a name that leads the service's workers to `port` of this machine. */
  readonly url: string;
  readonly port: number;
  /** The folder with receiver.pem and receiver.key. */
  readonly tlsFolder: string;
  readonly jwksUrl: string;
  /** The origin of the machine API. */
  readonly source: string;
  readonly database: string;
};

/** The guide's own receiver in TypeScript, as a process of its own. What it has committed outlives it. */
export class DemoReceiver {
  readonly #settings: ReceiverSettings;
  #process: ChildProcess | undefined;
  /** The IDs of the events that it applied, in all its processes. */
  readonly applied: string[] = [];
  /** Why it refused what it refused, such as "400 unexpected environment". */
  readonly refused: string[] = [];

  constructor(settings: ReceiverSettings) {
    this.#settings = settings;
  }

  /** Starts it for this environment. Throws a Surprise if it cannot listen. */
  async start(environment: 'sandbox' | 'production'): Promise<void> {
    const { url, port, tlsFolder, jwksUrl, source, database } = this.#settings;
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: {
        WEBHOOK_URL: url,
        JWKS_URL: jwksUrl,
        EVENT_SOURCE: source,
        ENVIRONMENT: environment,
        DATABASE: database,
        TLS_CERT_FILE: join(tlsFolder, 'receiver.pem'),
        TLS_KEY_FILE: join(tlsFolder, 'receiver.key'),
        HOST: '127.0.0.1',
        PORT: String(port),
        ANSWER_CHALLENGES: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    await new Promise<void>((resolve, reject) => {
      child.on('exit', () => reject(new Surprise(`The receiver ended: ${/\b\w*Error\b.*/.exec(complaint)?.[0] ?? 'without a reason'}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [word, ...rest] = line.split(' ');
        if (word === 'applied') this.applied.push(rest[0] ?? '');
        if (word === 'refused') this.refused.push(rest.join(' '));
        if (word === 'listening') resolve();
      });
    });
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'close');
    child.kill();
    await ended;
  }
}
