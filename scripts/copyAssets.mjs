import { spawnSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';

// The compiled program reads these files from its own folder, and tsc does not copy them.
await cp('rest-api/contract', 'dist/rest-api/contract', { recursive: true });
await cp('migrations', 'dist/migrations', { recursive: true, filter: (path) => !path.endsWith('.ts') });
await cp('docs/receivers', 'dist/docs/receivers', { recursive: true });
await cp('kit/samples', 'dist/docs/samples', { recursive: true });
await cp('server/oi.sh', 'dist/oi');
await cp('server/portal-http/assets', 'dist/server/portal-http/assets', { recursive: true });

// What `--version` and the metric svc_build_info say. Where it is not known yet, as for a release, the variable SOURCE_COMMIT says it.
const git = () => spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], { encoding: 'utf8' });
const commit = process.env.SOURCE_COMMIT?.trim() || git().stdout?.trim() || undefined;
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
await writeFile('dist/build.json', JSON.stringify({ version, commit }));
