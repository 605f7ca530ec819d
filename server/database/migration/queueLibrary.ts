import { createRequire } from 'node:module';
import type * as queue from 'graphile-worker';

/**
 * graphile-worker. While it is loaded it looks for settings of its own in the working folder and above, and runs what it finds: a file that
 * anybody may have put there, in a process that holds our keys. It also ends where this account may not look. So it is loaded where only
 * root can have put something.
 */
function load(): typeof queue {
  const require = createRequire(import.meta.url);
  const folder = process.cwd();
  process.chdir('/');
  try {
    return require('graphile-worker');
  } finally {
    try {
      process.chdir(folder);
    } catch {
      // What this account may not enter holds nothing that it could read.
    }
  }
}

export const { Logger, run, runMigrations } = load();
