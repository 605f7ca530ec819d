import { backupsIn } from '../database/backup/backups.ts';
import { wrong, type Look, type Place } from './finding.ts';

/** A day, and what a backup takes. */
const oldMs = 25 * 60 * 60 * 1_000;

/** Whether the newest backup of the embedded database is one of today. */
export async function examineBackups({ config, clock }: Place): Promise<Look> {
  if (!config.backups)
    return config.databaseUrl === undefined
      ? []
      : { skipped: 'nobody but the administrators of the server in DATABASE_URL knows of its backups' };
  const [newest] = await backupsIn(config.backups.dir);
  if (!newest) return { skipped: 'there is none yet; the first is taken when the service starts' };
  if (clock.now().getTime() - newest.takenAt.getTime() <= oldMs) return [];
  const words = `BACKUP_DIR: the newest backup is of ${newest.takenAt.toISOString()}`;
  return [wrong(words, 'Take one now by `oi backup`, and look for backup.failed in the log of the service.')];
}
