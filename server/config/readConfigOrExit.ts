import { answerVersion } from '../platform/build.ts';
import { ConfigError } from './ConfigError.ts';
import { readConfig, type Config, type ProcessRole } from './config.ts';

/** Reads the configuration of a process, unless it is only asked for its version. If it is invalid, prints the reasons to standard error in plain words and exits with 1. */
export function readConfigOrExit(role: ProcessRole): Config {
  answerVersion();
  try {
    return readConfig(role);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`The configuration is not valid:\n${error.message.replace(/^/gm, '  ')}\n`);
    process.exit(1);
  }
}
