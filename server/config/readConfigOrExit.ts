import { ConfigError, readConfig, type Config, type ProcessRole } from './config.ts';

/** The configuration of a process; prints what is wrong with it to standard error, in plain words, and exits with 1. */
export function readConfigOrExit(role: ProcessRole): Config {
  try {
    return readConfig(role);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`The configuration is not valid:\n${error.message.replace(/^/gm, '  ')}\n`);
    process.exit(1);
  }
}
