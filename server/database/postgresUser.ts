import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const userName = 'postgres';

/** The operating-system user that PostgreSQL's processes run as. As a parameter, `undefined` means the user that we are. */
export type PostgresUser = { uid: number; gid: number };

/**
 * Finds the user to run PostgreSQL as. PostgreSQL refuses to run as root, so root uses the user `postgres`, which is created if the machine
 * has none. Any other user runs it themselves (`undefined`). Throws an Error that says what to do if the user is missing and cannot be
 * created.
 */
export async function findPostgresUser(): Promise<PostgresUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const known = await lookUp();
  if (known) return known;
  await createUser();
  const created = await lookUp();
  if (!created) throw new Error(missingUserMessage('it does not exist even after creating it'));
  return created;
}

/**
 * The first folder on the way to `target` (including `target`) that `user` may not enter, or `undefined` if there is none. Only mode bits
 * are read, so where an access list grants more, the answer errs on the side of caution.
 */
export async function findClosedFolder(target: string, user: PostgresUser): Promise<string | undefined> {
  const { root } = path.parse(target);
  const names = path.relative(root, target).split(path.sep);
  for (let count = 0; count <= names.length; count += 1) {
    const folder = path.join(root, ...names.slice(0, count));
    const facts = await stat(folder).catch(() => undefined);
    if (!facts) return undefined;
    if (facts.isDirectory() && !mayEnter(facts, user)) return folder;
  }
  return undefined;
}

function mayEnter(facts: { mode: number; uid: number; gid: number }, user: PostgresUser): boolean {
  if (facts.uid === user.uid) return (facts.mode & 0o100) !== 0;
  if (facts.gid === user.gid) return (facts.mode & 0o010) !== 0;
  return (facts.mode & 0o001) !== 0;
}

async function lookUp(): Promise<PostgresUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', userName]), run('id', ['-g', userName])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createUser(): Promise<void> {
  try {
    await run('groupadd', ['--system', '--force', userName]);
    await run('useradd', ['--system', '--gid', userName, '--no-create-home', '--shell', '/bin/false', userName]);
  } catch (error) {
    throw new Error(missingUserMessage(error instanceof Error ? error.message.trim() : String(error)), {
      cause: error,
    });
  }
}

function missingUserMessage(reason: string): string {
  return (
    `PostgreSQL cannot run as root, and the user "${userName}" could not be created (${reason}). ` +
    `Create this user ("useradd --system ${userName}"), start the service as another user, or set DATABASE_URL to an existing server.`
  );
}
