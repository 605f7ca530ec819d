import 'reflect-metadata';
import path from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { checkStatements } from './statements/check.ts';
import { openDatabase } from './statements/database.ts';
import { openModules } from './statements/texts.ts';

// Fails when PostgreSQL does not take a statement, or the call that runs it says something else of its rows and parameters. With names of files
// only these are looked at, and with --database a migrated database is used as it is.
const root = path.resolve(import.meta.dirname, '..');
const { values: given, positionals } = parseArgs({ options: { database: { type: 'string' } }, allowPositionals: true });
const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
openModules(options);

const named = positionals.map((file) => path.resolve(file));
const wanted = new Set(
  named.length > 0 ? named : fileNames.filter((file) => /^(?:server|rest-api|workers)\//.test(path.relative(root, file))),
);
const program = ts.createProgram([...wanted], options);
const files = program.getSourceFiles().filter(({ fileName }) => wanted.has(fileName));

async function check(databaseUrl: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  try {
    const { calls, statements, rows, faults } = await checkStatements({ program, files, root, database });
    for (const fault of faults) process.stderr.write(`${fault}\n`);
    process.stdout.write(`${calls} calls, ${statements} statements, ${rows} with rows, ${faults.length} faults\n`);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

if (given.database === undefined) {
  const { withFreshDatabase } = await import('../server/database/emitSchemaSql.ts');
  await withFreshDatabase(check);
} else {
  await check(given.database);
}
