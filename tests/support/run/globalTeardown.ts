import { rm } from 'node:fs/promises';
import './globalSetup.ts';

/** Stops the run's PostgreSQL and removes its folder. */
export default async function globalTeardown(): Promise<void> {
  const server = globalThis.testDatabaseServer;
  if (!server) return;
  await server.postgres.stop();
  await rm(server.folder, { recursive: true, force: true });
}
