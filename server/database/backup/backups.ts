import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;

export const unfinishedSuffix = '.part';

/** When backups are taken, and how long they are kept. */
export type BackupPlan = { readonly dir: string; readonly hour: number; readonly days: number };

/** A backup that is whole. */
export type Backup = { readonly path: string; readonly takenAt: Date };

/** The folder of a backup, which tells the moment. */
export function backupName(now: Date): string {
  return `backup-${now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '')}`;
}

const named = /^backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** The backups in a folder, the newest first. */
export async function backupsIn(backupDir: string): Promise<readonly Backup[]> {
  const names = await readdir(backupDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const takenAt = takenAtOf(name);
      return takenAt ? [{ path: join(backupDir, name), takenAt }] : [];
    })
    .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime());
}

function takenAtOf(name: string): Date | undefined {
  const found = named.exec(name);
  const [year = 0, month = 1, day, hour, minute, second] = found?.slice(1).map(Number) ?? [];
  return found ? new Date(Date.UTC(year, month - 1, day, hour, minute, second)) : undefined;
}

/** Whether the hour of the day (in UTC) has come since the newest backup. One that was missed is made up for. */
export function backupIsDue(now: Date, hour: number, newest: Backup | undefined): boolean {
  if (!newest) return true;
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) + hour * hourMs;
  const last = today <= now.getTime() ? today : today - dayMs;
  return newest.takenAt.getTime() < last;
}

/** Removes backups that are older than this many days, but never the newest, and what was not finished within a day. */
export async function removeOldBackups(backupDir: string, { now, days }: { readonly now: Date; readonly days: number }): Promise<void> {
  const [, ...others] = await backupsIn(backupDir);
  const before = (takenAt: Date | undefined, count: number) => takenAt !== undefined && takenAt.getTime() < now.getTime() - count * dayMs;
  const old = others.filter(({ takenAt }) => before(takenAt, days)).map(({ path }) => path);
  // A younger one may be under way on the terminal.
  const unfinished = (await readdir(backupDir)).filter(
    (name) => name.endsWith(unfinishedSuffix) && before(takenAtOf(name.slice(0, -unfinishedSuffix.length)), 1),
  );
  for (const path of [...old, ...unfinished.map((name) => join(backupDir, name))]) await rm(path, { recursive: true, force: true });
}
