import { ConfigError, readConfig, type Config, type ProcessRole } from './config.ts';

/** The configuration of a process; what is wrong with it goes to standard error in plain words, and the process ends with 1. */
export function readConfigOrExit(role: ProcessRole): Config {
  try {
    return readConfig(role);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`The configuration does not fit:\n${error.message.replace(/^/gm, '  ')}\n`);
    process.exit(1);
  }
}
