import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminCommand, usage } from './adminCommands.ts';
import { UsageError, type AdminCommand } from './commandArguments.ts';
import type { Config } from './config/config.ts';
import { readConfigOrExit } from './config/readConfigOrExit.ts';
import { checkServer } from './database/connection/checkServer.ts';
import { requireSchema } from './database/migration/requireSchema.ts';
import { createOrm, type Orm } from './database/orm.ts';
import { unavailable } from './database/unavailable.ts';
import { answerVersion } from './platform/build.ts';
import { DomainError } from './domain/shared/DomainError.ts';
import { sql } from './domain/shared/sql.ts';

/**
 * `oi admin`: runs one command on the server's terminal, beside a running service. The result goes to standard output, messages to
 * standard error. Exits with 0 when it is done, 1 when it is refused or fails, 2 for wrong arguments, 3 when it has only shown what it would end
 * for good.
 */
async function main(args: readonly string[]): Promise<number> {
  answerVersion(args);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  let command: AdminCommand;
  try {
    command = adminCommand(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return 2;
  }
  const config = readConfigOrExit('admin');
  let orm: Orm | undefined;
  try {
    const url = await databaseUrlOf(config);
    await checkServer(url);
    await requireSchema(url);
    orm = await createOrm(url, { name: 'admin' });
    const { result, words, undone } = await command(orm.em.fork(), await databaseNow(orm), config);
    if (result !== undefined) process.stdout.write(`${result}\n`);
    process.stderr.write(`${words}\n`);
    return undone ? 3 : 0;
  } catch (error) {
    process.stderr.write(`${reasonOf(error, config)}\n`);
    return 1;
  } finally {
    await orm?.close(true);
  }
}

/** Processes agree with the database's clock (`/readyz`), which a terminal need not, and new keys and authorities wait for a moment of it. */
async function databaseNow(orm: Orm): Promise<Date> {
  const [row] = await sql<{ now: Date }>(orm.em.fork(), 'select clock_timestamp() as now');
  if (!row) throw new Error('The database has told no time.');
  return row.now;
}

/** MIGRATION_DATABASE_URL, whose role owns the tables, or else DATABASE_URL, or the embedded database of a service that is running on this data folder. */
async function databaseUrlOf({ migrationDatabaseUrl, databaseUrl = migrationDatabaseUrl, dataDir }: Config): Promise<string> {
  if (migrationDatabaseUrl !== undefined) return migrationDatabaseUrl;
  if (databaseUrl !== undefined) return databaseUrl;
  const url = await readFile(join(dataDir, 'database-url'), 'utf8').catch(() => '');
  if (url === '') throw new Error(`The service has never run with the data folder ${dataDir}. ${whatToDo}`);
  return url.trim();
}

const whatToDo = 'Start it with `npm start`, or set DATA_DIR to its data folder or DATABASE_URL to its database.';

/**
 * The reason in words for the terminal. A message from the database may contain an address or the URL's password, so only its code is
 * shown.
 */
function reasonOf(error: unknown, { databaseUrl, dataDir }: Config): string {
  const refusal = unavailable(error);
  if (refusal instanceof DomainError && refusal.code === 'temporarily_unavailable') {
    return databaseUrl === undefined
      ? `The service is not running with the data folder ${dataDir}. ${whatToDo}`
      : 'The database in DATABASE_URL cannot be reached.';
  }
  if (refusal instanceof DomainError) return refusal.fields.map((field) => field.message).join('\n') || refusal.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === '' && error instanceof Error ? error.message : `The database rejected the command (${code}).`;
}

process.exitCode = await main(process.argv.slice(2));
