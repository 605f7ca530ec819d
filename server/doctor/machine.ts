import { execFile } from 'node:child_process';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { openFileLimit } from '../platform/http/openFiles.ts';
import { warning, wrong, type Finding, type Look, type Place } from './finding.ts';

const run = promisify(execFile);
const GiB = 1024 ** 3;

/** Whether the disk below the data and their backups has room. Where nothing is stored, there is nothing to look at. */
export async function examineDisk({ config }: Place): Promise<Look> {
  if (config.databaseUrl !== undefined) return [];
  return [...(await room('DATA_DIR', config.dataDir)), ...(config.backups ? await room('BACKUP_DIR', config.backups.dir) : [])];
}

async function room(variable: string, folder: string): Promise<Finding[]> {
  const { bavail, blocks, bsize } = await statfs(await existing(folder));
  const free = bavail * bsize;
  const words = `${variable}: its disk has ${(free / GiB).toFixed(1)} GiB left of ${((blocks * bsize) / GiB).toFixed(1)}`;
  const remedy = 'Make room or enlarge it; docs/capacity.md says how fast the data grows. PostgreSQL stops when there is none left.';
  if (free < GiB) return [wrong(words, remedy)];
  return bavail < blocks / 10 ? [warning(words, remedy)] : [];
}

/** The folder, or the nearest one above it that exists already. */
async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  return found || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Whether the machine keeps the time. What the database's clock says, the look at the database tells. */
export async function examineClock(): Promise<Look> {
  try {
    const { stdout } = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { timeout: 5_000 });
    if (stdout.trim() !== 'no') return [];
  } catch {
    return { skipped: 'timedatectl cannot tell here whether the clock is kept by NTP' };
  }
  return [
    warning(
      'Nothing keeps this machine’s clock: certificates and signatures fail when it is off',
      'Run `timedatectl set-ntp true`, or install chrony.',
    ),
  ];
}

/** Whether the process may open enough files. It asks for what this terminal has, which need not be what the service has. */
export async function examineOpenFiles({ role, config }: Place): Promise<Look> {
  const limit = openFileLimit();
  // Workers have no callers (docs/operating.md, “Connections and open files”).
  const enough = role === 'workers' ? 2_500 : 4_096;
  if (!config.production || limit >= enough) return [];
  return [
    warning(
      `Only ${limit} files may be open at once, from here`,
      'Have LimitNOFILE=21000 in the unit (docs/operating.md, “Connections and open files”); a terminal may have less than the service.',
    ),
  ];
}
