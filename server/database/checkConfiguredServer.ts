import type { Config } from '../config/config.ts';
import type { Logger } from '../platform/logger.ts';
import { DomainError } from '../domain/shared/DomainError.ts';
import { checkServer } from './connection/checkServer.ts';
import { budgetOf } from './connection/connectionUses.ts';
import { causeOf, unavailable } from './unavailable.ts';

/**
 * Checks the server in DATABASE_URL for one part of the service, before anything else uses it. An embedded one needs no check. Logs a warning
 * if the process could need more connections than the server has left.
 */
export async function checkConfiguredServer(config: Config, part: Parameters<typeof budgetOf>[0], logger: Logger): Promise<void> {
  if (config.databaseUrl === undefined) return;
  const left = await connectionsLeft(config.databaseUrl);
  const budget = budgetOf(part, config.databaseConnections);
  if (budget > left) logger.warn({ budget, left }, 'database.fewConnections');
}

/** Checks the server and resolves with how many connections it has left. What it rejects with names the variable, and neither user nor password. */
export function connectionsLeft(databaseUrl: string): Promise<number> {
  return checkServer(databaseUrl).catch(nameVariable);
}

/** SQLSTATEs of a refused user, password, certificate or database. */
const refusedUser = /^(28...|3D000)$/;

/** The library's own message names a host or a user, which may be anybody's. */
function nameVariable(error: unknown): never {
  const refusal = unavailable(error);
  if (refusal instanceof DomainError) {
    throw new Error(`DATABASE_URL: the server cannot be reached, or does not let anybody in now (${causeOf(refusal)})`, { cause: error });
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (refusedUser.test(code))
    throw new Error(`DATABASE_URL: the server refuses the user, password or database (${code})`, { cause: error });
  throw error;
}
