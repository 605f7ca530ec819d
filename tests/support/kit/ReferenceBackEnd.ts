import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { TestCertificate } from '../world/Fixtures.ts';
import type { MachineWorld, PortalWorld } from '../world/openWorld.ts';

const { version } = JSON.parse(readFileSync('kit/package.json', 'utf8')) as { version: string };
const tarball = resolve(`dist/packages/svc-operator-kit-${version}.tgz`);

type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };
type Asked = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
};

/** The reference back end as an operator has it: the package installed without a network, `svc init`, `svc new`, and the program started. */
export class ReferenceBackEnd {
  readonly folder: string;
  #process: ChildProcess | undefined;
  #env: Readonly<Record<string, string>> = {};
  url = '';
  /** Everything that it has printed. */
  log = '';

  private constructor(folder: string) {
    this.folder = folder;
  }

  static install(world: PortalWorld & MachineWorld, certificate: TestCertificate, operator: object = {}): ReferenceBackEnd {
    const back = new ReferenceBackEnd(mkdtempSync(join(world.folder, 'operator-')));
    world.onClose(() => back.stop());
    back.#run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball]);
    back.#write('ca.pem', world.machineApiCa);
    back.svc('init', '--base-url', `${world.machineApiUrl}/v1`, '--portal-url', world.portalUrl, '--ca', 'ca.pem');
    back.svc('new', '.');
    back.#write('client.pem', certificate.certPem);
    back.#write('client.key', certificate.keyPem);
    const settings = JSON.parse(readFileSync(back.file('operator.json'), 'utf8')) as object;
    back.#write('operator.json', JSON.stringify({ ...settings, port: 0, ...operator }));
    return back;
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  svc(...args: string[]): string {
    return this.#run(process.execPath, ['node_modules/.bin/svc', ...args]);
  }

  /** Makes the one change for PostgreSQL, with the `pg` that this project has. */
  usePostgres(databaseUrl: string): void {
    symlinkSync(resolve('node_modules/pg'), this.file('node_modules/pg'));
    const text = readFileSync(this.file('database.ts'), 'utf8');
    this.#write('database.ts', text.replace("export { open } from './sqlite.ts';", "export { open } from './postgres.ts';"));
    this.#env = { DATABASE_URL: databaseUrl };
  }

  async start(): Promise<void> {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, ['main.ts'], {
      cwd: this.folder,
      env: { PATH, HOME, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    child.stderr.on('data', (text: Buffer) => (this.log += text.toString()));
    await new Promise<void>((started, failed) => {
      child.on('exit', (code) => failed(new Error(`The back end ended with ${code}: ${this.log}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.log += `${line}\n`;
        const [, port] = /^listening (\d+)$/.exec(line) ?? [];
        if (port === undefined) return;
        this.url = `http://127.0.0.1:${port}`;
        started();
      });
    });
  }

  /** Stops it as systemd does; returns its exit code, which is null if it had to be killed. */
  async stop(): Promise<number | null> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return child?.exitCode ?? 0;
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return code;
  }

  async ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Rows of its SQLite file, read by a connection of its own. */
  rows<Row>(text: string): Row[] {
    const database = new DatabaseSync(this.file('operator.sqlite'), { readOnly: true });
    try {
      return database.prepare(text).all() as Row[];
    } finally {
      database.close();
    }
  }

  /** The resources whose exports lie outside its database. */
  exported(): string[] {
    return readdirSync(this.file('exports')).map((file) => file.replace('.csv', ''));
  }

  #write(name: string, text: string): void {
    writeFileSync(this.file(name), text, { mode: 0o600 });
  }

  #run(command: string, args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: this.folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
    return stdout;
  }
}

/** A user’s browser, as far as its cookie goes. */
export class Visitor {
  readonly #back: ReferenceBackEnd;
  cookie = '';

  constructor(back: ReferenceBackEnd) {
    this.#back = back;
  }

  async get(path: string): Promise<Answer> {
    const answer = await this.#back.ask(path, { headers: { Cookie: this.cookie } });
    this.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? this.cookie;
    return answer;
  }

  /** Opens the linking page, and sends its form with this code. */
  async link(
    code: string,
    changes: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const { text } = await this.get('/link');
    const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    return this.#back.ask('/link', {
      method: 'POST',
      headers: { ...headers, Cookie: this.cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, code, ...changes }).toString(),
    });
  }
}
