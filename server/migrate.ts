import { migrate } from './migrateCommand.ts';
import { answerVersion } from './platform/build.ts';

/** `oi migrate`: migrates the database. */
answerVersion();
if (process.argv.length > 2) {
  process.stderr.write('migrate takes no arguments. It reads MIGRATION_DATABASE_URL.\n');
  process.exitCode = 2;
} else {
  process.exitCode = await migrate();
}
