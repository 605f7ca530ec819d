import { readFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';

// Fails when schema.graphql, or the types that the pages derive from it, are not what the code emits.
const build = spawnSync('npm', ['run', '--silent', 'build:server'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(1);
const { printedSchema } = await import('../dist/server/portal-api/emitSchema.js');
if ((await readFile('schema.graphql', 'utf8')) !== (await printedSchema())) {
  process.stderr.write('schema.graphql is stale: run `npm run schema` and commit the result.\n');
  process.exit(1);
}
