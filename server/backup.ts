import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { readConfigOrExit } from './config/readConfigOrExit.ts';
import { takeBackup } from './database/backup/takeBackup.ts';
import { databaseAddressOf } from './database/connection/databaseAddress.ts';
import { ownerUrlOf } from './ownerUrl.ts';
import { answerVersion } from './platform/build.ts';

const usage = `oi backup

Has the PostgreSQL of a running oi start write a backup to a new folder in BACKUP_DIR, as it does each day, and prints the folder. oi restore takes it back.

oi backup FILE

Writes everything in the database, as of one moment, to a new file that only you can read, and prints its SHA-256. The service goes on meanwhile.
pg_dump and pg_restore have to be installed, of the server's version or a later one. docs/operating/recovery.md says how to restore it.
`;

/** `oi backup` and `oi backup FILE`: exits with 0 once the copy is complete and on the disk, 1 if it is not (then there is no file), 2 for wrong arguments. */
async function main(args: readonly string[]): Promise<number> {
  answerVersion(args);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  const [file, ...rest] = args;
  if (file === undefined) return backUpEmbedded();
  if (file.startsWith('-') || rest.length > 0) {
    process.stderr.write(`backup takes FILE.\n\n${usage}`);
    return 2;
  }
  const config = readConfigOrExit('migrate');
  const part = `${file}.part`;
  let reserved = false;
  try {
    await (await open(file, 'wx', 0o600)).close();
    reserved = true;
    await dumpTo(part, await ownerUrlOf(config));
    await rename(part, file);
    reserved = false;
    process.stdout.write(`${await digestOf(file)}  ${file}\n`);
    process.stderr.write('The backup is complete. Without MASTER_KEY and SIGNING_KEY its secrets cannot be read: keep both elsewhere.\n');
    return 0;
  } catch (error) {
    process.stderr.write(`${wordsOf(error, file)}\n`);
    return 1;
  } finally {
    await rm(part, { force: true });
    if (reserved) await rm(file, { force: true });
  }
}

async function backUpEmbedded(): Promise<number> {
  const { backups, dataDir } = readConfigOrExit('admin');
  if (!backups) {
    process.stderr.write(`Set DATA_DIR and BACKUP_DIR to those of the service, or give FILE.\n\n${usage}`);
    return 2;
  }
  try {
    process.stdout.write(`${await takeBackup({ dataDir, backupDir: backups.dir, now: new Date() })}\n`);
    return 0;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const words =
      code === 'ECONNREFUSED' || code === 'ENOENT' ? `The service is not running with the data folder ${dataDir}.` : (code ?? message);
    process.stderr.write(`${words}\n`);
    return 1;
  }
}

async function dumpTo(path: string, url: string): Promise<void> {
  await rm(path, { force: true });
  const output = await open(path, 'wx', 0o600);
  try {
    await run('pg_dump', ['--format=custom', '--no-password'], { env: libpqVariables(url), output: output.fd });
    await output.sync();
  } finally {
    await output.close();
  }
  // Reads the table of contents, which is written last.
  await run('pg_restore', ['--list', path], { env: {}, output: 'ignore' });
}

/** By environment, because everybody on a machine can read the arguments of its processes. */
function libpqVariables(url: string): Record<string, string> {
  const { host, port, user, password, database } = databaseAddressOf(url);
  const parameters = [...new URL(url).searchParams].map(([name, value]) => [`PG${name.toUpperCase()}`, value] as const);
  return {
    PGSSLMODE: 'disable',
    ...Object.fromEntries(parameters),
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    ...(password !== undefined && { PGPASSWORD: password }),
  };
}

type Running = { readonly env: Readonly<Record<string, string>>; readonly output: number | 'ignore' };

async function run(program: string, args: readonly string[], { env, output }: Running): Promise<void> {
  // Where it is, and nothing else: variables of another installation would lead to another database.
  const { PATH = '' } = process.env;
  const child = spawn(program, args, { env: { PATH, LC_ALL: 'C', ...env }, stdio: ['ignore', output, 'pipe'] });
  let said = '';
  child.stderr?.on('data', (part) => (said += String(part)));
  const status = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (status !== 0) throw new Error(`${program} failed: ${said.trim()}`);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

function wordsOf(error: unknown, file: string): string {
  const { code, syscall = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall.startsWith('spawn')) {
    return `${syscall.replace('spawn ', '')} is not installed. Install PostgreSQL's client programs, of the server's version or a later one.`;
  }
  if (code === 'EEXIST') return `${file} exists, and a backup is never written over.`;
  if (syscall !== '') return `${file} cannot be written (${code}).`;
  return error instanceof Error ? error.message : String(error);
}

process.exitCode = await main(process.argv.slice(2));
