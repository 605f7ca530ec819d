import { KitError } from '../client/errors.ts';

/** SQLite, which older versions of Node do not have. */
export function loadSqlite() {
  return import('node:sqlite').catch((cause: unknown) => {
    const nextStep = 'Use Node 22.13 or later, the curl commands of the portal, or the library with PostgreSQL.';
    throw new KitError('usage', `Node ${process.versions.node} has no SQLite.`, { nextStep, cause });
  });
}
