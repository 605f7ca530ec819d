import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { roleNames } from '../../server/database/roles/roleNames.ts';
import { passwordOf } from '../../server/database/roles/loginRoles.ts';
import { findPostgresUser } from '../../server/database/postgresUser.ts';
import type { DevelopmentTls } from '../../server/platform/developmentTls.ts';
import { thisRelease, type ServiceProcess } from './ServiceProcess.ts';

const configuration = path.join(thisRelease, '../operations/haproxy/haproxy.cfg');

/** HAProxy as installations run it, with `operations/haproxy/haproxy.cfg` but for its addresses and files. */
export class Haproxy {
  readonly #child: ChildProcess;
  readonly #socket: string;

  private constructor(child: ChildProcess, socket: string) {
    this.#child = child;
    this.#socket = socket;
  }

  static async start(parts: {
    folder: string;
    tls: DevelopmentTls;
    ports: Readonly<Record<'portal' | 'machineApi' | 'plain', number>>;
    processes: readonly ServiceProcess[];
  }): Promise<Haproxy> {
    const { folder, tls, ports, processes } = parts;
    const [pem, socket, file] = ['haproxy.pem', 'haproxy.sock', 'haproxy.cfg'].map((name) => path.join(folder, name));
    if (pem === undefined || socket === undefined || file === undefined) throw new Error('There are three files.');
    await writeFile(pem, tls.certPem + tls.keyPem, { mode: 0o600 });
    await writeFile(file, written(await readFile(configuration, 'utf8'), { pem, socket, ports, processes }));
    const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
    await once(child, 'spawn');
    return new Haproxy(child, socket);
  }

  /** How many processes it finds ready. */
  async ready(): Promise<number> {
    const answer = await ask(this.#socket, 'show stat\n').catch(() => '');
    return answer.split('\n').filter((line) => /^(portal|machine_api),(portal|machine)\d,/.test(line) && line.split(',')[17] === 'UP')
      .length;
  }

  async stop(): Promise<void> {
    await ended(this.#child);
  }
}

/** The shipped text with other addresses. Throws where it has changed so that one is not found. */
function written(
  text: string,
  parts: {
    pem: string;
    socket: string;
    ports: Readonly<Record<'portal' | 'machineApi' | 'plain', number>>;
    processes: readonly ServiceProcess[];
  },
): string {
  const { pem, socket, ports, processes } = parts;
  const swap = (from: RegExp, to: string) => {
    if (!from.test(text)) throw new Error(`${configuration} has no ${from.source}.`);
    text = text.replace(from, to);
  };
  swap(/^global\n/m, `global\n    stats socket ${socket} mode 600\n`);
  swap(/bind :80$/m, `bind 127.0.0.1:${ports.plain}`);
  swap(/bind :443 ssl crt \S+/, `bind 127.0.0.1:${ports.portal} ssl crt ${pem}`);
  swap(/bind :8443$/m, `bind 127.0.0.1:${ports.machineApi}`);
  for (const { kind, number, port, metricsPort } of processes) {
    if (kind === 'workers') continue;
    const name = `${kind === 'portal' ? 'portal' : 'machine'}${number}`;
    swap(new RegExp(`server ${name} [\\d.:]+$`, 'm'), `server ${name} 127.0.0.1:${port} check port ${metricsPort}`);
    swap(new RegExp(`server ${name} 10[\\d.:]+ no-check`), `server ${name} 127.0.0.1:${port} no-check`);
  }
  return text;
}

/** PgBouncer as docs/operating.md (“PgBouncer”) has it, with TLS on both sides. Resolves with its port and how to end it. */
export async function startPgbouncer(parts: {
  folder: string;
  port: number;
  behind: number;
  superuserUrl: string;
  database: string;
  /** The authority and the certificate of PostgreSQL, which callers expect of it as well. */
  caFile: string;
  tls: DevelopmentTls;
}): Promise<() => Promise<void>> {
  const { port, behind, superuserUrl, database, caFile, tls } = parts;
  const user = await findPostgresUser();
  const folder = path.join(parts.folder, 'pgbouncer');
  await mkdir(folder);
  const owned = async (name: string, text: string) => {
    const file = path.join(folder, name);
    await writeFile(file, text, { mode: 0o600 });
    if (user) await chown(file, user.uid, user.gid);
    return file;
  };
  const shown = await readFile(path.join(thisRelease, '../docs/operating.md'), 'utf8');
  const documented = /### PgBouncer[^]*?```ini\n\[databases\][^]*?\[pgbouncer\]\n([^]*?)```/.exec(shown)?.[1];
  if (documented === undefined) throw new Error('docs/operating.md shows no configuration of PgBouncer.');
  const users = Object.values(roleNames()).map((name) => `"${name}" "${passwordOf(superuserUrl, name)}"`);
  const replaced = documented
    .replace(/^listen_port = .*/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*/m, `auth_file = ${await owned('users.txt', `${users.join('\n')}\n`)}`);
  const own = [
    'client_tls_sslmode = require',
    `client_tls_cert_file = ${await owned('server.pem', tls.certPem)}`,
    `client_tls_key_file = ${await owned('server.key', tls.keyPem)}`,
    'server_tls_sslmode = verify-full',
    `server_tls_ca_file = ${await owned('ca.pem', await readFile(caFile, 'utf8'))}`,
    'unix_socket_dir =',
  ];
  const file = await owned(
    'pgbouncer.ini',
    `[databases]\n${database} = host=localhost port=${behind} dbname=${database}\n\n[pgbouncer]\n${replaced}${own.join('\n')}\n`,
  );
  await chmod(folder, 0o755);
  const child = spawn('pgbouncer', ['-q', file], { ...user, stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'spawn');
  await delay(500);
  if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
  return () => ended(child);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function ask(socket: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const asked = connect(socket, () => asked.write(command));
    asked.setEncoding('utf8');
    asked.on('data', (text: string) => (answer += text));
    asked.on('end', () => resolve(answer));
    asked.on('error', reject);
  });
}
