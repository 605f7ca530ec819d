import { readFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';

// Fails when schema.graphql is not what the code emits, or schema.sql is not what the migrations make.
const build = spawnSync('npm', ['run', '--silent', 'build:server'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(1);
const { printedSchema } = await import('../dist/server/portal-api/emitSchema.js');
const { freshSchemaSql } = await import('../dist/server/database/emitSchemaSql.js');
const emitted = { 'schema.graphql': printedSchema, 'schema.sql': freshSchemaSql };
for (const [file, emit] of Object.entries(emitted)) {
  const [present, current] = await Promise.all([readFile(file, 'utf8').catch(() => ''), emit()]);
  if (present === current) continue;
  process.stderr.write(`${file} is stale: run \`npm run schema\` and commit the result.\n`);
  process.exitCode = 1;
}
