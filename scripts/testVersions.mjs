import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { oldestPostgres } from '../server/database/connection/postgresVersion.ts';

// npm run test:versions [-- --oldest-if-installed]: the tests of the database on the oldest PostgreSQL that is supported, whose programs are
// where Debian's package postgresql-15 puts them or in TEST_POSTGRES, and on the newest, which comes with the packages. With the option, on the
// oldest alone, and on none where it is not installed.
const { values } = parseArgs({ options: { 'oldest-if-installed': { type: 'boolean', default: false } } });
const programs = process.env.TEST_POSTGRES || `/usr/lib/postgresql/${oldestPostgres}/bin`;
const flags = ['--import', './tests/support/run/hooks.ts', '--disable-warning=ExperimentalWarning'];
const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.versions.config.js'];
const passes = (folder) => {
  process.stdout.write(`The database's tests on ${folder === '' ? 'the PostgreSQL of the packages' : `the PostgreSQL in ${folder}`}\n`);
  return (
    spawnSync(process.execPath, [...flags, ...jest], { stdio: 'inherit', env: { ...process.env, TEST_POSTGRES: folder } }).status === 0
  );
};

if (!existsSync(`${programs}/postgres`)) {
  process.stdout.write(`PostgreSQL ${oldestPostgres} is not in ${programs}, so nothing was tested on the oldest supported version.\n`);
  process.exitCode = values['oldest-if-installed'] ? 0 : 1;
} else {
  process.exitCode = passes(programs) && (values['oldest-if-installed'] || passes('')) ? 0 : 1;
}
