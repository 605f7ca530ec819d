import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/* A folder with more files than these is divided by what they are about, so that a reader can take it in at a glance. */
const mostFiles = 25;

const roots = ['server', 'rest-api', 'workers', 'portal-web/src', 'migrations', 'demo', 'bench', 'kit', 'scripts', 'tests', 'docs'];
const foldersIn = (folder) => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name)),
];
const filesIn = (folder) => readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length;

const crowded = roots.flatMap(foldersIn).filter((folder) => filesIn(folder) > mostFiles);
for (const folder of crowded) console.error(`${folder} has ${filesIn(folder)} files; divide it, so that none has more than ${mostFiles}.`);
if (crowded.length > 0) process.exitCode = 1;
