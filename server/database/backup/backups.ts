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
      const found = named.exec(name);
      const [year = 0, month = 1, day, hour, minute, second] = found?.slice(1).map(Number) ?? [];
      return found ? [{ path: join(backupDir, name), takenAt: new Date(Date.UTC(year, month - 1, day, hour, minute, second)) }] : [];
    })
    .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime());
}

/** Whether the hour of the day (in UTC) has come since the newest backup. One that was missed is made up for. */
export function backupIsDue(now: Date, hour: number, newest: Backup | undefined): boolean {
  if (!newest) return true;
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) + hour * hourMs;
  const last = today <= now.getTime() ? today : today - dayMs;
  return newest.takenAt.getTime() < last;
}

/** Removes backups that are older than this many days, but never the newest, and what was never finished. */
export async function removeOldBackups(backupDir: string, { now, days }: { readonly now: Date; readonly days: number }): Promise<void> {
  const [, ...others] = await backupsIn(backupDir);
  const old = others.filter(({ takenAt }) => takenAt.getTime() < now.getTime() - days * dayMs).map(({ path }) => path);
  const unfinished = (await readdir(backupDir)).filter(
    (name) => named.test(name.replace(unfinishedSuffix, '')) && name.endsWith(unfinishedSuffix),
  );
  for (const path of [...old, ...unfinished.map((name) => join(backupDir, name))]) await rm(path, { recursive: true, force: true });
}
