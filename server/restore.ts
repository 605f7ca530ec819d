import { resolve } from 'node:path';
import type { Config } from './config/config.ts';
import { readConfigOrExit } from './config/readConfigOrExit.ts';
import { terminal as actor } from './commandArguments.ts';
import { restoreBackup } from './database/backup/restoreBackup.ts';
import { loadKeyRing } from './database/keyRing.ts';
import { migrateDatabase } from './database/migrate.ts';
import { createOrm } from './database/orm.ts';
import { refuseUnknownWrapping } from './domain/certificate/authorities.ts';
import { resetFeeds } from './domain/feed/resetFeeds.ts';
import { GateAlreadySo } from './domain/gate/changeProductionGate.ts';
import { closeProductionGate } from './domain/gate/closeProductionGate.ts';
import { sql } from './domain/shared/sql.ts';
import { authorityKeys } from './platform/authorityKeys.ts';
import { answerVersion } from './platform/build.ts';
import { systemClock } from './platform/clock.ts';
import { keysOnTerminal } from './platform/configuredKeys.ts';

const usage = `oi restore FOLDER

Makes the database in DATA_DIR from a backup of oi start, which is one folder below BACKUP_DIR. The service must not run, and DATA_DIR must not have a database.
MASTER_KEY and SIGNING_KEY have to be those of the backup; they are not in it. Before anybody is served from the restored data, its feeds are reset,
everybody is signed out, and the production gate is closed. docs/operating/recovery.md says what to do before you open it.
`;

/** `oi restore FOLDER`: exits with 0 once the database is in its place, 1 if it is not (then nothing has changed), 2 for wrong arguments. */
async function main(args: readonly string[]): Promise<number> {
  answerVersion(args);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  const [backup, ...rest] = args;
  if (backup === undefined || backup.startsWith('-') || rest.length > 0) {
    process.stderr.write(`restore takes FOLDER.\n\n${usage}`);
    return 2;
  }
  const config = readConfigOrExit('admin');
  const { dataDir, databaseRolePrefix: rolePrefix } = config;
  // PostgreSQL, which is a process of its own, ends with ours if that ends by itself.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const say = (words: string) => void process.stderr.write(`${words}\n`);
  let secured = '';
  let foreign: readonly string[] = [];
  const secure = async (url: string) => {
    await migrateDatabase(url, { say, rolePrefix });
    secured = await secureRestored(url);
    foreign = await foreignKeys(url, config);
  };
  try {
    await restoreBackup({ backup: resolve(backup), dataDir, log: { info: () => undefined, warn: say, error: say }, rolePrefix, secure });
    say(`The database is as it was at the backup. ${secured} What was revoked or withdrawn since then is valid again: certificates, service tokens,
passkeys, roles, locked accounts. docs/operating/recovery.md, “Restore”, says what to do about each once the service runs, and about an offline root’s list.`);
    for (const words of foreign)
      say(`The service will not start with the keys that are set now; put those of the backup in their place. ${words}`);
    return 0;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

const reason = 'Restored to an earlier moment; being checked.';

/** Steps 4 and 5 of docs/operating/recovery.md, “Restore”, in one transaction. Returns what it has done, in words. */
async function secureRestored(url: string): Promise<string> {
  const orm = await createOrm(url, { name: 'admin' });
  const now = new Date();
  try {
    return await orm.em.fork().transactional(async (tx) => {
      await sql(tx, "update portal_session set ended_at = $1, end_reason = 'restored' where ended_at is null", [now]);
      const feeds = await resetFeeds(tx, { actor, now });
      const gate = await closeProductionGate(tx, { actor, integrationId: null, reason, now }).then(
        () => 'is closed',
        (error: unknown) => {
          if (error instanceof GateAlreadySo) return 'was closed already';
          throw error;
        },
      );
      return `Feeds reset: ${feeds}. Everybody is signed out. The production gate ${gate}.`;
    });
  } finally {
    await orm.close(true);
  }
}

/** Which of the keys that are set are not those of the backup, in words. They may be put in their place until the service starts. */
async function foreignKeys(url: string, config: Config): Promise<string[]> {
  const { master, signing } = await keysOnTerminal(config);
  const said: string[] = [];
  const note = (error: unknown) => void said.push(error instanceof Error ? error.message : String(error));
  if (master) await loadKeyRing({ databaseUrl: url, masterKeys: master, clock: systemClock }).catch(note);
  const orm = await createOrm(url, { name: 'admin' });
  try {
    if (signing) await refuseUnknownWrapping(orm.em.fork(), { keys: authorityKeys(signing), now: systemClock.now() }).catch(note);
  } finally {
    await orm.close(true);
  }
  return said;
}

process.exitCode = await main(process.argv.slice(2));
