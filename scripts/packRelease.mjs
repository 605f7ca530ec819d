import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/*
 * Packs what a server runs into one file, but for the portal's pages: the portal, the machine API and the workers, `oi` with its commands, and the
 * operators' packages. With it, a test runs this release on the schema of the next one, in any clone and without a network.
 */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Give the file to write.');
const folders = ['server', 'rest-api', 'workers', 'migrations', 'docs', 'packages', 'demo/smoke'];
const files = new Set(['build.json', 'oi', 'demo/Steps.js', 'demo/Surprise.js']);
const paths = readdirSync('dist', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
  .map(({ parentPath, name }) => join(parentPath, name).slice('dist/'.length))
  .filter((path) => files.has(path) || folders.some((folder) => path.startsWith(`${folder}/`)))
  .sort();
const contents = Object.fromEntries(paths.map((path) => [path, readFileSync(join('dist', path), 'base64')]));
writeFileSync(file, gzipSync(JSON.stringify(contents)));
