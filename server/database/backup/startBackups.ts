import type { Clock } from '../../domain/shared/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { backupAge } from '../../platform/metrics.ts';
import type { OnStop } from '../../platform/runProcess.ts';
import { backupIsDue, type BackupPlan, backupsIn, removeOldBackups } from './backups.ts';
import { takeBackup } from './takeBackup.ts';

const looksEvery = 60_000;
/** After one that failed. */
const waitsMs = 60 * 60 * 1_000;

type Backups = {
  /** Takes one if one is due. */
  look(): Promise<void>;
  /** Brings the metric up to date. */
  observe(): Promise<void>;
};

/** Takes a backup of the embedded database each day, and removes old ones. One that is under way at the stop is given up. */
export function startBackups(
  { dir, hour, days }: BackupPlan,
  { dataDir, clock, logger, onStop }: { readonly dataDir: string; readonly clock: Clock; readonly logger: Logger; readonly onStop: OnStop },
): Backups {
  const stopping = new AbortController();
  let notBefore = 0;
  let running: Promise<void> | undefined;
  const take = async (): Promise<void> => {
    const now = clock.now();
    if (stopping.signal.aborted || now.getTime() < notBefore) return;
    const [newest] = await backupsIn(dir);
    if (!backupIsDue(now, hour, newest)) return;
    const startedAt = performance.now();
    try {
      const path = await takeBackup({ dataDir, backupDir: dir, now, signal: stopping.signal });
      logger.info({ path, seconds: Math.round((performance.now() - startedAt) / 100) / 10 }, 'backup.taken');
      await removeOldBackups(dir, { now, days });
    } catch (error) {
      if (stopping.signal.aborted) return;
      notBefore = now.getTime() + waitsMs;
      logger.error({ err: error }, 'backup.failed');
    }
  };
  const look = () => (running ??= take().finally(() => (running = undefined)));
  const timer = setInterval(() => void look(), looksEvery).unref();
  onStop('backups', async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  });
  void look();
  return {
    look,
    async observe() {
      const [newest] = await backupsIn(dir);
      if (newest) backupAge.set((clock.now().getTime() - newest.takenAt.getTime()) / 1000);
    },
  };
}
