import { readFileSync } from 'node:fs';
import { serverLimits } from './serverLimits.ts';

/** What POSIX promises every process, for when nothing else can be learned. */
const usualOpenFiles = 1_024;

/** How many files and sockets this process may hold open: its soft limit, which Node raises to the hard limit when it starts. */
export function openFileLimit(): number {
  return limitFromProc() ?? limitFromReport() ?? usualOpenFiles;
}

/**
 * How many connections each of a process's servers may hold: what the process may open, less what database, mail, uploads and files need,
 * shared evenly, so that a flood at one server leaves the others their part. `delivers` is for a process that also delivers webhooks.
 */
export function connectionShare(servers: number, { delivers = false, openFiles = openFileLimit() } = {}): number {
  const needed = serverLimits.reservedOpenFiles + (delivers ? serverLimits.deliveriesOpenFiles : 0);
  const reserved = Math.min(needed, Math.floor(openFiles / 2));
  return Math.max(1, Math.min(serverLimits.connectionsPerServer, Math.floor((openFiles - reserved) / servers)));
}

function limitFromProc(): number | undefined {
  let text: string;
  try {
    text = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return undefined;
  }
  return numberOf(/^Max open files\s+(\S+)/m.exec(text)?.[1]);
}

/** Reads the limit on systems without /proc. Windows has no such limit. */
function limitFromReport(): number | undefined {
  if (process.platform === 'win32') return Number.POSITIVE_INFINITY;
  // Node's types do not know this setting yet. Without it, every address would be looked up by name.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const before = report.excludeNetwork;
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  report.excludeNetwork = before;
  return numberOf(userLimits?.open_files?.soft);
}

function numberOf(soft: number | string | undefined): number | undefined {
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  const limit = Number(soft);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
}
