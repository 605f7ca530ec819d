import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a server runs. Drills and benches, the demo and the kit's own files stay behind. */
const folders = ['server', 'rest-api', 'workers', 'migrations', 'portal-web', 'packages', 'docs', 'demo/smoke'];
const built = ['oi', 'build.json', ...folders, 'demo/Steps.js', 'demo/Surprise.js'].map((path) => `dist/${path}`);
const beside = ['operations', 'docs', 'package.json', 'package-lock.json', '.npmrc', '.env.example', 'README.md', 'CHANGELOG.md'];

/**
 * Packs what `npm run build` has made into `folder`, as it is installed on servers: the archive of the version in package.json, its SBOM (CycloneDX)
 * and SHA256SUMS. The same tree gives the same bytes: names are sorted, owners and rights are nobody's in particular, and all times are the day
 * of the newest release. Returns the archive's path.
 */
export function makeArchive(folder: string): string {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; version: string };
  const release = `${name}-${version}`;
  const [, day = '2000-01-01'] = /^## [\d.]+, (\d{4}-\d\d-\d\d)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  // Only what is in git, because a folder of operations may hold somebody's keys.
  const committed = execFileSync('git', ['ls-files', '-z', '--', ...beside], { encoding: 'utf8' });
  const reproducible = `--format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=${day}T00:00:00Z`;
  const tar = execFileSync(
    'tar',
    ['--create', '--file=-', ...reproducible.split(' '), `--transform=s,^,${release}/,`, '--exclude=*.map', '--null', '--files-from=-'],
    { input: `${built.join('\0')}\0${committed}`, maxBuffer: 256 * 1024 * 1024 },
  );
  const files = {
    // Not Node's own, whose bytes depend on the processor.
    [`${release}.tar.gz`]: execFileSync('gzip', ['--no-name', '--best'], { input: tar, maxBuffer: 256 * 1024 * 1024 }),
    [`${release}.cdx.json`]: sbom(name, day),
  };
  mkdirSync(folder, { recursive: true });
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), bytes);
  const sums = Object.entries(files).map(([file, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return join(folder, `${release}.tar.gz`);
}

type Sbom = { readonly serialNumber?: string; readonly metadata: { readonly component: object } };

/** npm's SBOM without what differs from one run to the next: the number that it draws, the time, and the folder's name in place of ours. */
function sbom(name: string, day: string): Buffer {
  const said = execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const { serialNumber: _, metadata, ...listed } = JSON.parse(said) as Sbom;
  const constant = { ...metadata, timestamp: `${day}T00:00:00.000Z`, component: { ...metadata.component, name } };
  return Buffer.from(`${JSON.stringify({ ...listed, metadata: constant }, undefined, 2)}\n`);
}

if (import.meta.main) process.stdout.write(`${makeArchive(process.argv[2] ?? 'release')}\n`);
