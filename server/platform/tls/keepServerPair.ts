import type { Logger } from '../logger.ts';
import type { OnStop } from '../runProcess.ts';
import { readServerPair, type PairFiles, type ServerPair } from './serverPair.ts';

/** A pair that may be another one later. Whatever shows it to callers listens. */
export type KeptPair = ServerPair & { onChange(apply: () => void): void };

/** Whatever renews certificates does so days before it has to. */
const readEvery = 10_000;

type Keeping = {
  readonly files: PairFiles;
  readonly logger: Logger;
  readonly onStop: OnStop;
  readonly everyMs?: number;
};

/**
 * Reads a server's certificate and key, and reads them again when their files change, so that a renewed pair is shown without a restart: to new
 * connections, those that stand go on. While the files cannot be used (one of them is still being written, say), the pair before is kept, and the
 * log says why. They are looked at in turn instead of watched, because renewals replace links and whole folders. Throws as `readServerPair` does.
 */
export async function keepServerPair({ files, logger, onStop, everyMs = readEvery }: Keeping): Promise<KeptPair> {
  let pair = await readServerPair(files);
  let refused: string | undefined;
  const listeners: (() => void)[] = [];
  const look = async (): Promise<void> => {
    try {
      const found = await readServerPair(files);
      refused = undefined;
      if (found.certPem === pair.certPem && found.keyPem === pair.keyPem) return;
      pair = found;
      for (const apply of listeners) apply();
      logger.info({ variable: files.variables.cert }, 'tls.renewed');
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      if (words !== refused) logger.error({ detail: words }, 'tls.notRenewed');
      refused = words;
    }
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  onStop(`certificate ${files.variables.cert}`, () => clearInterval(timer));
  return {
    get certPem() {
      return pair.certPem;
    },
    get keyPem() {
      return pair.keyPem;
    },
    onChange: (apply) => void listeners.push(apply),
  };
}
