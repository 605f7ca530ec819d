import type { Logger } from './logger.ts';

const methods = ['error', 'warn', 'trace', 'log', 'info', 'debug'] as const;
type Printer = Record<(typeof methods)[number], (...said: readonly unknown[]) => void>;

/**
 * Turns what libraries print into log lines, one each: while the database is away, the queue prints a stack of many lines for each of its workers,
 * and what reads the log takes them for as many broken ones.
 */
export function logLibraries(logger: Logger, printer: Printer = console): void {
  const line = (...said: readonly unknown[]): void => {
    const err = said.find((each) => each instanceof Error);
    const words = said.find((each) => typeof each === 'string');
    logger.warn(
      { ...(err !== undefined && { err }), ...(words !== undefined && { detail: words.split('\n')[0]?.slice(0, 200) }) },
      'library.said',
    );
  };
  for (const method of methods) printer[method] = line;
}
