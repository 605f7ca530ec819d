import { resolve } from 'node:path';
import { readConfigOrExit } from './config/readConfigOrExit.ts';
import { restoreBackup } from './database/backup/restoreBackup.ts';
import { answerVersion } from './platform/build.ts';

const usage = `oi restore FOLDER

Makes the database in DATA_DIR from a backup of oi start, which is one folder below BACKUP_DIR. The service must not run, and DATA_DIR must not have a database.
MASTER_KEY and SIGNING_KEY have to be those of the backup; they are not in it. docs/operating/recovery.md says what to do before you open the service again.
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
  const { dataDir } = readConfigOrExit('admin');
  const say = (words: string) => void process.stderr.write(`${words}\n`);
  try {
    await restoreBackup({ backup: resolve(backup), dataDir, log: { info: () => undefined, warn: say, error: say } });
    say(`The database is restored. Read docs/operating/recovery.md, “Restore”, before you start the service.`);
    return 0;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
