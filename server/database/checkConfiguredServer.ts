import type { Config } from '../config/config.ts';
import type { Logger } from '../platform/logger.ts';
import { checkServer } from './connection/checkServer.ts';
import { budgetOf } from './connection/connectionUses.ts';

/**
 * Checks the server in DATABASE_URL for one part of the service, before anything else uses it. An embedded one needs no check. Logs a warning
 * if the process could need more connections than the server has left.
 */
export async function checkConfiguredServer(config: Config, part: Parameters<typeof budgetOf>[0], logger: Logger): Promise<void> {
  if (config.databaseUrl === undefined) return;
  const left = await checkServer(config.databaseUrl);
  const budget = budgetOf(part, config.databaseConnections);
  if (budget > left) logger.warn({ budget, left }, 'database.fewConnections');
}
