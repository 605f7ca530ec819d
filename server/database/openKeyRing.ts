import { limits } from '../domain/shared/limits.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../platform/clock.ts';
import { masterKeysOf } from '../platform/configuredKeys.ts';
import type { Logger } from '../platform/logger.ts';
import type { OnStop } from '../platform/runProcess.ts';
import { type KeyRing, type KeyRingUse, loadKeyRing } from './keyRing.ts';

/** After a failure, entries are read again soon, so that a process that had lost the database knows what others have begun to use. */
const retryAfter = 1_000;

type Parts = {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly use: KeyRingUse;
  readonly logger: Logger;
  readonly onStop: OnStop;
};

/** Loads the process's key ring and, until the process stops, reads new entries every minute (docs/specification.md, “Keys at rest”). */
export async function openKeyRing({ config, databaseUrl, use, logger, onStop }: Parts): Promise<KeyRing> {
  const ring = await loadKeyRing({ databaseUrl, masterKeys: await masterKeysOf(config), clock: systemClock, use });
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const schedule = (delay: number) => {
    if (!stopped) timer = setTimeout(() => void reload(), delay).unref();
  };
  const reload = async () => {
    try {
      for (const error of await ring.reload()) logger.error({ err: error }, 'keyRing.entryNotReadable');
      schedule(limits.keyRingReload);
    } catch (error) {
      logger.warn({ err: error }, 'keyRing.notReloaded');
      schedule(retryAfter);
    }
  };
  schedule(limits.keyRingReload);
  onStop('key ring', () => {
    stopped = true;
    clearTimeout(timer);
    return Promise.resolve();
  });
  return ring.keys;
}
