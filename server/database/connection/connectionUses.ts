import { roleSettings, type Settings, useSettings } from './settings.ts';

type Use = {
  /** Whose role it connects as; null for the terminal and migrations, whose statements nothing limits but themselves. */
  readonly role: keyof typeof roleSettings | null;
  /** How many connections one process holds at most. */
  readonly most: number;
  /** The variable that changes `most`, and the fewest with which the process works. */
  readonly variable?: string;
  readonly least?: number;
  /** Connections to another server, which are no part of the budget of the one in DATABASE_URL. */
  readonly elsewhere?: true;
  readonly words: string;
};

/**
 * Everything that a process opens connections for, by the name that PostgreSQL shows for them (`application_name`), and the budget: how
 * many there are at most. docs/operating.md has the same table for people.
 */
export const connectionUses = {
  portal: { role: 'portal', most: 10, variable: 'DATABASE_PORTAL_CONNECTIONS', least: 2, words: 'pages and commands' },
  'portal-checks': { role: 'portal', most: 2, words: 'readiness and the development mailbox' },
  'portal-standby': { role: 'portal', most: 4, elsewhere: true, words: 'request logs, usage and the audit trail, on a standby' },
  'portal-keys': { role: 'portal', most: 1, words: 'reads the key ring, for a moment each minute' },
  'machine-api-admission': { role: 'machine_api', most: 4, variable: 'DATABASE_ADMISSION_CONNECTIONS', least: 1, words: 'admission' },
  'machine-api-read': {
    role: 'machine_api',
    most: 4,
    variable: 'DATABASE_READ_CONNECTIONS',
    least: 1,
    words: 'single resources and heads',
  },
  'machine-api-pages': {
    role: 'machine_api',
    most: 4,
    variable: 'DATABASE_PAGE_CONNECTIONS',
    least: 1,
    words: 'pages of sync and history',
  },
  'machine-api-commands': {
    role: 'machine_api',
    most: 8,
    variable: 'DATABASE_COMMAND_CONNECTIONS',
    least: 2,
    words: 'redemptions, acknowledgements, renewals',
  },
  'machine-api-usage': { role: 'machine_api', most: 1, words: 'request log and counters' },
  'machine-api-keys': { role: 'machine_api', most: 1, words: 'reads the key ring, for a moment each minute' },
  workers: { role: 'workers', most: 10, variable: 'DATABASE_WORKERS_CONNECTIONS', least: 2, words: 'jobs' },
  'workers-checks': { role: 'workers', most: 2, words: 'readiness and the development mailbox' },
  'workers-keys': { role: 'workers', most: 1, words: 'reads the key ring, for a moment each minute' },
  'workers-queue': { role: 'workers', most: 24, words: 'takes jobs and listens for them, in four pools' },
  'workers-presence': { role: 'workers', most: 4, words: 'one for each pool, shows that it lives' },
  'webhook-pump': { role: 'workers', most: 1, words: 'leads the delivery of webhooks' },
  'webhook-results': { role: 'workers', most: 2, words: 'results of deliveries' },
  'start-check': { role: null, most: 2, words: 'checks the server at the start of a process, for a moment' },
  admin: { role: null, most: 1, words: 'terminal commands' },
  backup: { role: null, most: 1, words: 'the daily backup of the embedded database' },
  migrate: { role: null, most: 1, words: 'migrations' },
  'migrate-queue': { role: null, most: 1, words: 'migrations of the job queue' },
  'migrate-watch': { role: null, most: 1, words: 'tells what a migration waits for' },
} as const satisfies Readonly<Record<string, Use>>;

export type ConnectionName = keyof typeof connectionUses;

/** How many connections a use may hold at most, where it is not as the table says. */
export type ConnectionSizes = Readonly<Partial<Record<ConnectionName, number>>>;

/** How many connections to the server in DATABASE_URL one process may hold at most for a part of the service. */
export function budgetOf(part: keyof typeof roleSettings, sizes: ConnectionSizes): number {
  return (Object.entries(connectionUses) as [ConnectionName, Use][])
    .filter(([, { role, elsewhere }]) => role === part && !elsewhere)
    .reduce((sum, [name, { most }]) => sum + (sizes[name] ?? most), 0);
}

/** What a session of this use sets right after connecting. */
export function settingsOf(name: ConnectionName): Settings {
  const { role } = connectionUses[name];
  return { ...(role !== null && roleSettings[role]), ...(name in useSettings && useSettings[name as keyof typeof useSettings]) };
}
