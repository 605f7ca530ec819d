import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect } from 'node:tls';
import { ensureDevelopmentTls } from '../../../server/platform/developmentTls.ts';
import type { PublicJwk } from './rfc9421.ts';

/** The receivers of the guide, and the one of the operators’ kit. */
export const receiverLanguages = ['typescript', 'python', 'go', 'kit'] as const;
export type ReceiverLanguage = (typeof receiverLanguages)[number];

/** Whether this machine can run the guide’s receiver in this language. */
export function canRun(language: ReceiverLanguage): boolean {
  if (language === 'typescript' || language === 'kit') return true;
  const [command, ...args] =
    language === 'go' ? ['go', 'version'] : ['python3', '-c', 'import cryptography, sys; sys.exit(sys.version_info < (3, 11))'];
  return spawnSync(command ?? '', args, { stdio: 'ignore' }).status === 0;
}

/** Whether `limitDisk` works with this receiver. Node is ended by the kernel when a file may not grow. */
export function canLimitDisk(language: ReceiverLanguage): boolean {
  return language !== 'typescript' && language !== 'kit' && spawnSync('prlimit', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** A key set that receivers read, and how often they did. */
export async function startKeySet(keys: PublicJwk[]) {
  const state = { keys, reads: 0, url: '', down: false };
  const server = createServer((_request, response) => {
    state.reads += 1;
    if (state.down) response.statusCode = 503;
    response.setHeader('Content-Type', 'application/jwk-set+json').end(JSON.stringify({ keys: state.keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
  return Object.assign(state, { close: () => void server.close() });
}

export type Sent = {
  method?: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Sends the body in chunks of this many bytes, without Content-Length. */
  chunkSize?: number;
};

/** One of the guide’s receivers with a certificate for `receiver.hooks.test` and a store that outlives its processes. */
export class GuideReceiver {
  readonly #language: ReceiverLanguage;
  readonly #folder: string;
  readonly #caPem: string;
  #process: ReturnType<typeof spawn> | undefined;
  #port = 0;
  /** What it applied, in all its processes: IDs of events. */
  readonly applied: string[] = [];

  private constructor(language: ReceiverLanguage, folder: string, caPem: string) {
    this.#language = language;
    this.#folder = folder;
    this.#caPem = caPem;
  }

  static async prepare(language: ReceiverLanguage): Promise<GuideReceiver> {
    const folder = await mkdtemp(join(tmpdir(), 'svc-guide-'));
    const { caPem, certPem, keyPem } = await ensureDevelopmentTls(join(folder, 'tls'), ['*.hooks.test']);
    await writeFile(join(folder, 'cert.pem'), certPem);
    await writeFile(join(folder, 'key.pem'), keyPem);
    if (language === 'go') {
      const built = spawnSync('go', ['build', '-o', join(folder, 'receiver'), '.'], { cwd: 'kit/samples/go', encoding: 'utf8' });
      if (built.status !== 0) throw new Error(built.stderr);
      await buildWithClock(folder);
    }
    return new GuideReceiver(language, folder, caPem);
  }

  /** Starts it; with `at`, by a clock that stands at this time. */
  async start(settings: Readonly<Record<string, string>>, at?: string): Promise<void> {
    const fixed = at === undefined ? null : Date.parse(at);
    const node = [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      ...(fixed === null ? [] : ['--import', `data:text/javascript,${encodeURIComponent(nodeClock(fixed))}`]),
    ];
    const python = 'kit/samples/python/receiver.py';
    const commands = {
      typescript: [...node, 'docs/receivers/typescript/receiver.ts'],
      python: ['python3', '-B', ...(fixed === null ? [python] : ['-c', pythonClock(fixed, python)])],
      go: [join(this.#folder, fixed === null ? 'receiver' : 'receiver-at')],
      kit: [...node, 'tests/support/kit/receiverProcess.ts'],
    };
    const [command = '', ...args] = commands[this.#language];
    const files = { DATABASE: 'events.db', TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem' };
    const paths = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(this.#folder, file)]));
    const { PATH, HOME } = process.env;
    const child = spawn(command, args, {
      env: { PATH, HOME, HOST: '127.0.0.1', PORT: '0', ...paths, ...settings, ...(at !== undefined && { RECEIVED_AT: at }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      child.on('exit', (code) => reject(new Error(`The receiver in ${this.#language} ended with ${code}.`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [word, value = ''] = line.split(' ');
        if (word === 'applied') this.applied.push(value);
        if (word !== 'listening') return;
        this.#port = Number(value);
        resolve();
      });
    });
  }

  /** Ends it as a loss of power would. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }

  /** Leaves its files room for a part of the next event, as a disk that is nearly full does, or as much as they want again. */
  limitDisk(limited: boolean): void {
    const sizes = ['events.db', 'events.db-wal'].map((name) => statSync(join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0);
    const most = limited ? String(Math.max(...sizes) + 50) : 'unlimited';
    const { status, stderr } = spawnSync('prlimit', [`--pid=${this.#process?.pid}`, `--fsize=${most}:unlimited`], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true });
  }

  /** Sends these bytes to this target, on a connection of its own. */
  async send({ method = 'POST', path, headers, body, chunkSize }: Sent): Promise<{ status: number; text: string }> {
    const outgoing = request({
      method,
      path,
      host: '127.0.0.1',
      port: this.#port,
      servername: 'receiver.hooks.test',
      ca: this.#caPem,
      headers: {
        ...headers,
        Host: 'receiver.hooks.test',
        ...(chunkSize === undefined ? { 'Content-Length': body.length } : { 'Transfer-Encoding': 'chunked' }),
      },
      agent: false,
    });
    return new Promise((resolve, reject) => {
      // An answer that comes before the whole body was sent counts, whatever becomes of the connection.
      outgoing.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = [];
        const done = () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', done)
          .on('error', done);
      });
      for (let at = 0; chunkSize !== undefined && at < body.length; at += chunkSize) outgoing.write(body.subarray(at, at + chunkSize));
      outgoing.end(chunkSize === undefined ? body : undefined);
    });
  }

  /** Sends this text as it is, and gives the statuses of all that comes back until the receiver closes the connection. */
  async sendRaw(text: string): Promise<number[]> {
    const socket = connect({ host: '127.0.0.1', port: this.#port, servername: 'receiver.hooks.test', ca: this.#caPem });
    let answer = '';
    socket.setEncoding('latin1').on('data', (part: string) => (answer += part));
    socket.write(text);
    await once(socket, 'close');
    return [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  }
}

/** What has a program in Node see this time, and no other. */
const nodeClock = (at: number): string =>
  `globalThis.Date = class extends Date { constructor(...given) { super(...(given.length ? given : [${at}])); } static now() { return ${at}; } };`;

const pythonClock = (at: number, program: string): string =>
  `import runpy, time; time.time = lambda: ${at / 1000}; runpy.run_path('${program}', run_name='__main__')`;

/** The receiver in Go has a variable for it, which a second file of the same program sets. */
async function buildWithClock(folder: string): Promise<void> {
  const source = join(folder, 'source');
  await cp('kit/samples/go', source, { recursive: true, filter: (path) => !path.endsWith('/sync') });
  await writeFile(
    join(source, 'clock.go'),
    `package main

import (
	"os"
	"time"
)

func init() {
	if at, err := time.Parse(time.RFC3339, os.Getenv("RECEIVED_AT")); err == nil {
		now = func() time.Time { return at }
	}
}
`,
  );
  const built = spawnSync('go', ['build', '-o', join(folder, 'receiver-at'), '.'], { cwd: source, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
}
