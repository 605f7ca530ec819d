/**
 * A program for the embedded database's tests. It runs one on the folder in its argument until SIGTERM, and tells its parent by IPC. On
 * SIGUSR2 it exits at once, as a process does that will not wait any longer.
 */
import { startEmbeddedPostgres } from '../../../server/database/embeddedPostgres.ts';

const lines: string[] = [];
const keep = (message: string): void => void lines.push(message);

try {
  const postgres = await startEmbeddedPostgres({
    dataDir: process.argv[2] ?? '',
    log: { info: keep, warn: keep, error: keep },
    settings: { fsync: 'off' },
  });
  process.once('SIGTERM', () => void postgres.stop().then(() => process.disconnect?.()));
  process.once('SIGUSR2', () => process.exit(3));
  process.send?.({ url: postgres.url, lines });
} catch (error) {
  process.send?.(error instanceof Error ? { refusal: error.name, message: error.message, lines } : { refusal: String(error), lines });
  process.disconnect?.();
}
