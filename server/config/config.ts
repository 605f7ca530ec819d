import { BlockList } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { saysHowToEncrypt } from '../database/connection/databaseAddress.ts';
import { developmentContact, type SupportContact } from '../domain/shared/supportContact.ts';
import { serverLimits } from '../platform/http/serverLimits.ts';
import { acmePair, type AcmePlan } from '../platform/acme/AcmePlan.ts';
import type { PairFiles } from '../platform/tls/serverPair.ts';
import type { BackupPlan } from '../database/backup/backups.ts';
import type { Catalogue } from '../domain/tracking/catalogueTexts.ts';
import { acmePlan, acmeVariables } from './acmePlan.ts';
import { readCatalogueFile } from './catalogueFile.ts';
import { ConfigError } from './ConfigError.ts';
import { heldSockets } from './heldSockets.ts';
import { misspelt } from './misspelt.ts';
import { contact, databaseUrl, flag, key, loopbackHosts, networks, origin, port, rolePrefix, seconds, whole } from './values.ts';
import type { ConnectionSizes } from '../database/connection/connectionUses.ts';
import { encryptsMail, hasRealDomain, mailFrom, smtpUrl } from './mailSettings.ts';
import { connectionVariables, readConnectionSizes } from './connectionSizes.ts';
import { signingVariables, wrappingKeys } from './wrappingKeys.ts';

const environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production'], { error: 'must be development, test or production' }).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORTAL_PORT: port(3000),
  MACHINE_API_PORT: port(8443),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: port(9464),
  DRAIN_SECONDS: seconds(300).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_HOUR: whole(0, 23, 3),
  BACKUP_DAYS: whole(1, 3_650, 14),
  CATALOGUE_FILE: z.string().min(1).optional(),
  DATABASE_URL: databaseUrl.optional(),
  STANDBY_DATABASE_URL: databaseUrl.optional(),
  MIGRATION_DATABASE_URL: databaseUrl.optional(),
  DATABASE_ROLE_PREFIX: rolePrefix.optional(),
  PORTAL_URL: origin.optional(),
  MACHINE_API_URL: origin.optional(),
  APP_URL: z.url({ protocol: /^https?$/, error: 'must be an absolute URL' }).optional(),
  MASTER_KEY: key.optional(),
  MASTER_KEY_FILE: z.string().min(1).optional(),
  MASTER_KEY_PREVIOUS: key.optional(),
  MASTER_KEY_PREVIOUS_FILE: z.string().min(1).optional(),
  SIGNING_KEY: key.optional(),
  SIGNING_KEY_FILE: z.string().min(1).optional(),
  SIGNING_KEY_PREVIOUS: key.optional(),
  SIGNING_KEY_PREVIOUS_FILE: z.string().min(1).optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailFrom.optional(),
  MACHINE_TLS_CERT_FILE: z.string().min(1).optional(),
  MACHINE_TLS_KEY_FILE: z.string().min(1).optional(),
  PORTAL_TLS_CERT_FILE: z.string().min(1).optional(),
  PORTAL_TLS_KEY_FILE: z.string().min(1).optional(),
  ...acmeVariables,
  TRUSTED_PROXIES: networks.optional(),
  TRUSTED_BALANCERS: networks.optional(),
  SUPPORT_CONTACT: contact.optional(),
  DEVELOPMENT_WEBHOOK_HOSTS: loopbackHosts.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an absolute http:// or https:// URL' }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be a number from 0 to 1' })
    .min(0, 'must be a number from 0 to 1')
    .max(1, 'must be a number from 0 to 1')
    .default(1),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    })
    .default('info'),
  ALLOW_GENERATED_KEYS: flag,
  ALLOW_GENERATED_AUTHORITY: flag,
  ALLOW_DEVELOPMENT_MAILBOX: flag,
});

/** Where developers and the demo listen for webhooks, unless the variable says otherwise. */
const developmentReceiver: Config['developmentWebhookHosts'] = new Map([['receiver.test', { address: '127.0.0.1', port: 9443 }]]);

/** Nobody's address: mail servers refuse it, or take it for spam. */
const developmentSender = 'Operator Integration Service <no-reply@localhost>';

/** The whole configuration. Each process reads it once and passes it on. */
export type Config = Readonly<{
  production: boolean;
  host: string;
  portalPort: number;
  machineApiPort: number;
  /** Sockets that listen already, and stay open while the process restarts. */
  portalSocket: number | undefined;
  machineApiSocket: number | undefined;
  metricsHost: string;
  metricsPort: number;
  /** How long a process that has been told to stop goes on serving, so that balancers notice. */
  drainSeconds: number;
  dataDir: string;
  /** The daily backups of the embedded database. Absent: there are none. */
  backups: BackupPlan | undefined;
  /** The only values that fields from a catalogue may have. Absent: any that fit the rules of their fields. */
  catalogue: Catalogue | undefined;
  /** Absent: the embedded database in `dataDir` is used. */
  databaseUrl: string | undefined;
  /** A standby of that database, from which the portal reads what may be some seconds old. */
  standbyDatabaseUrl: string | undefined;
  /** The same database with the role that owns its schema. Absent, in development: `databaseUrl`. */
  migrationDatabaseUrl: string | undefined;
  databaseConnections: ConnectionSizes;
  /** How the names of the installation's roles begin, if not with `oi`. */
  databaseRolePrefix: string | undefined;
  /** Absent: it is derived from the port that is actually bound. */
  portalUrl: string | undefined;
  machineApiUrl: string | undefined;
  /** The order-tracking service's app, which the credit leads to. Absent, in development: the portal's own first page. */
  appUrl: string | undefined;
  masterKey: Buffer | undefined;
  /** While MASTER_KEY is being changed: the key that some secrets are still wrapped under. */
  masterKeyPrevious: Buffer | undefined;
  signingKey: Buffer | undefined;
  signingKeyPrevious: Buffer | undefined;
  /** Whether workers may make a root whose key is in the database. */
  generateAuthority: boolean;
  /** Only workers send mail. Absent: the development mailbox is used. */
  smtpUrl: string | undefined;
  /** Whether the portal shows the development mailbox. */
  developmentMailbox: boolean;
  mailFrom: string;
  machineTls: PairFiles | undefined;
  /** Absent: the portal speaks plain HTTP, for a proxy or a developer. */
  portalTls: PairFiles | undefined;
  /** Absent: nothing gets certificates by itself. */
  acme: AcmePlan | undefined;
  /** The portal's own proxies, whose X-Forwarded-For is trusted. */
  trustedProxies: BlockList;
  /** The machine API's own balancers, which begin each connection with the PROXY protocol. */
  trustedBalancers: BlockList;
  /** Whom mails, pages and security.txt tell people to contact. */
  supportContact: SupportContact;
  /** Names that lead to receivers on this machine; every other name of a webhook takes the guarded way. Empty in production. */
  developmentWebhookHosts: ReadonlyMap<string, { readonly address: string; readonly port: number }>;
  /** Where traces are sent, and which share of requests is traced. Absent: nothing is traced. */
  tracing: { readonly endpoint: string; readonly share: number } | undefined;
  logLevel: string;
}>;

/** The process that reads the configuration. `service` is everything in one process, `admin` and `migrate` are commands on the terminal. */
const processRoles = ['service', 'portal', 'machine-api', 'workers'] as const;
export type ProcessRole = (typeof processRoles)[number] | 'admin' | 'migrate';

/** Reads the variables of `.env.example` for one kind of process; nothing else reads process.env. Throws `ConfigError`. */
export function readConfig(role: ProcessRole, env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  const [databaseConnections, invalidSizes] = readConnectionSizes(given);
  const strange = misspelt(Object.keys(given), [...Object.keys(environment.shape), ...connectionVariables]);
  const missing = given['NODE_ENV'] === 'production' ? missingInProduction(role, given) : [];
  if (!parsed.success || invalidSizes.length > 0 || strange.length > 0) {
    const issues = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
    throw new ConfigError([...issues, ...invalidSizes, ...strange, ...missing]);
  }
  const value = parsed.data;
  const held = heldSockets(given);
  const wrong: string[] = [];
  const keys = unlessWrong(wrong, () => wrappingKeys(value));
  const catalogue = unlessWrong(wrong, () => catalogueOf(role, value.CATALOGUE_FILE));
  const acme = unlessWrong(wrong, () => (role === 'service' ? acmePlan(value, given, held['http']) : undefined));
  const ofAcme = acme && acmePair(acme);
  const machineTls = ofAcme ?? unlessWrong(wrong, () => pairOf('MACHINE_TLS', value));
  const portalTls = ofAcme ?? unlessWrong(wrong, () => pairOf('PORTAL_TLS', value));
  if (value.NODE_ENV === 'production') wrong.push(...missing, ...refusedInProduction(role, value));
  if (wrong.length > 0 || !keys) throw new ConfigError(wrong);
  return {
    production: value.NODE_ENV === 'production',
    host: value.HOST,
    portalPort: value.PORTAL_PORT,
    machineApiPort: value.MACHINE_API_PORT,
    portalSocket: held['portal'],
    machineApiSocket: held['machine-api'],
    metricsHost: value.METRICS_HOST,
    metricsPort: value.METRICS_PORT,
    drainSeconds: value.DRAIN_SECONDS ?? (value.NODE_ENV === 'production' ? serverLimits.drainSeconds : 0),
    dataDir: resolve(value.DATA_DIR),
    backups: backupPlan(role, value),
    catalogue,
    databaseUrl: value.DATABASE_URL,
    standbyDatabaseUrl: value.STANDBY_DATABASE_URL,
    migrationDatabaseUrl: value.MIGRATION_DATABASE_URL,
    databaseConnections,
    databaseRolePrefix: value.DATABASE_ROLE_PREFIX,
    portalUrl: value.PORTAL_URL,
    machineApiUrl: value.MACHINE_API_URL,
    appUrl: value.APP_URL,
    ...keys,
    generateAuthority: value.NODE_ENV !== 'production' || value.ALLOW_GENERATED_AUTHORITY,
    smtpUrl: value.SMTP_URL,
    // In production a portal knows nothing of the mail server.
    developmentMailbox: value.SMTP_URL === undefined && (value.NODE_ENV !== 'production' || value.ALLOW_DEVELOPMENT_MAILBOX),
    mailFrom: value.MAIL_FROM ?? developmentSender,
    machineTls,
    portalTls,
    acme,
    trustedProxies: value.TRUSTED_PROXIES ?? new BlockList(),
    trustedBalancers: value.TRUSTED_BALANCERS ?? new BlockList(),
    supportContact: value.SUPPORT_CONTACT ?? developmentContact,
    developmentWebhookHosts: value.DEVELOPMENT_WEBHOOK_HOSTS ?? (value.NODE_ENV === 'production' ? new Map() : developmentReceiver),
    tracing: tracing(value),
    logLevel: value.LOG_LEVEL,
  };
}

/** Goes on after a mistake, so that one look shows all of them. */
function unlessWrong<Value>(wrong: string[], read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    wrong.push(...error.problems);
    return undefined;
  }
}

/** Only the process that takes resources reads it. */
function catalogueOf(role: ProcessRole, path: string | undefined): Config['catalogue'] {
  if (path === undefined || (role !== 'service' && role !== 'portal')) return undefined;
  try {
    return readCatalogueFile(path);
  } catch (error) {
    throw new ConfigError([`CATALOGUE_FILE: ${error instanceof Error ? error.message : 'the file cannot be read'}`]);
  }
}

function tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share }: Variables): Config['tracing'] {
  return endpoint === undefined ? undefined : { endpoint: endpoint.replace(/\/+$/, ''), share };
}

/** Where everything is in one process on the embedded database: in production always, and otherwise where it is told to. */
function backupPlan(role: ProcessRole, variables: Variables): Config['backups'] {
  const { NODE_ENV, DATABASE_URL, DATA_DIR, BACKUP_DIR, BACKUP_HOUR: hour, BACKUP_DAYS: days } = variables;
  if (DATABASE_URL !== undefined || (BACKUP_DIR === undefined && NODE_ENV !== 'production')) return undefined;
  if (role !== 'service' && role !== 'admin') return undefined;
  return { dir: resolve(BACKUP_DIR ?? join(DATA_DIR, 'backups')), hour, days };
}

function pairOf(name: 'MACHINE_TLS' | 'PORTAL_TLS', variables: Variables): PairFiles | undefined {
  const [certFile, keyFile] = [variables[`${name}_CERT_FILE`], variables[`${name}_KEY_FILE`]];
  if (certFile && keyFile) return { certFile, keyFile, variables: { cert: `${name}_CERT_FILE`, key: `${name}_KEY_FILE` } };
  if (certFile) throw new ConfigError([`${name}_KEY_FILE: is required when ${name}_CERT_FILE is set`]);
  if (keyFile) throw new ConfigError([`${name}_CERT_FILE: is required when ${name}_KEY_FILE is set`]);
  return undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Variables = z.infer<typeof environment>;
type Need = {
  readonly roles: readonly ProcessRole[];
  /** Other variables that do as well, or what else is asked of it. */
  readonly given?: (env: Environment) => boolean;
  readonly excusedBy?: 'ALLOW_GENERATED_KEYS' | 'ALLOW_DEVELOPMENT_MAILBOX';
  readonly words?: string;
};

/** What each process needs in production, and the variable that explicitly allows a development default instead. */
const productionNeeds: Readonly<Record<string, Need>> = {
  DATABASE_URL: { roles: ['portal', 'machine-api', 'workers'] },
  // Everything in one process may have its database in a folder that is named, and so may the terminal beside it.
  DATA_DIR: {
    roles: ['service', 'admin'],
    given: (env) => env['DATABASE_URL'] !== undefined,
    words: ', for the database and its files, unless DATABASE_URL leads to one',
  },
  MIGRATION_DATABASE_URL: { roles: ['migrate'], words: '; it leads to the database with the role that owns the schema' },
  MASTER_KEY: { roles: processRoles, given: (env) => env['MASTER_KEY_FILE'] !== undefined, excusedBy: 'ALLOW_GENERATED_KEYS' },
  SIGNING_KEY: {
    roles: ['service', 'workers'],
    given: (env) => env['SIGNING_KEY_FILE'] !== undefined,
    excusedBy: 'ALLOW_GENERATED_KEYS',
  },
  SMTP_URL: { roles: ['service', 'workers'], excusedBy: 'ALLOW_DEVELOPMENT_MAILBOX' },
  MAIL_FROM: {
    roles: ['service', 'workers'],
    given: (env) => env['SMTP_URL'] === undefined && env['ALLOW_DEVELOPMENT_MAILBOX'] === 'true',
    words: '; mail comes from this address',
  },
  PORTAL_URL: { roles: processRoles },
  // Every operator's credit leads there.
  APP_URL: { roles: ['service', 'portal'] },
  // If a proxy is not named, all visitors share one address and its limits. That there is no proxy must therefore be stated.
  TRUSTED_PROXIES: {
    roles: ['service', 'portal'],
    words: '; list the addresses of the proxies in front of the portal, or write none',
  },
  TRUSTED_BALANCERS: {
    roles: ['service', 'machine-api'],
    words: '; list the addresses of the balancers in front of the machine API, or write none',
  },
  SUPPORT_CONTACT: { roles: processRoles, words: '; emails and pages tell people to contact you there' },
  MACHINE_API_URL: { roles: ['service', 'portal', 'workers'] },
  MACHINE_TLS_CERT_FILE: {
    roles: ['service', 'machine-api'],
    // Without the other, that one is asked for.
    given: (env) => env['MACHINE_TLS_KEY_FILE'] !== undefined || env['ACME_DIR'] !== undefined,
    excusedBy: 'ALLOW_GENERATED_KEYS',
    words: ', or ACME_DIR with oi start',
  },
};

function missingInProduction(role: ProcessRole, env: Environment): string[] {
  return Object.entries(productionNeeds).flatMap(([name, { roles, given, excusedBy, words }]) => {
    if (!roles.includes(role) || env[name] !== undefined || given?.(env) || (excusedBy && env[excusedBy] === 'true')) return [];
    return [`${name}: is required in production${words ?? ''}${excusedBy ? ` (or set ${excusedBy}=true)` : ''}`];
  });
}

const plainMail =
  'SMTP_URL: must start with smtps://, or smtp:// with ?requireTLS=true, in production for a server on another machine, and its certificate must be proven (without tls.rejectUnauthorized): mail contains links that open accounts';

/** What holds keys. */
const keyPlaces = ['MASTER_KEY_FILE', 'MASTER_KEY_PREVIOUS_FILE', 'SIGNING_KEY_FILE', 'SIGNING_KEY_PREVIOUS_FILE', 'ACME_DIR'] as const;

function liesIn(folder: string | undefined, path: string): boolean {
  return folder !== undefined && !relative(resolve(folder), resolve(path)).startsWith('..');
}

/** What suits only a developer's machine, unless it is explicitly allowed. */
function refusedInProduction(role: ProcessRole, variables: Variables): string[] {
  const wrong: string[] = [];
  if (variables.PORTAL_URL !== undefined && processRoles.some((each) => each === role) && !variables.PORTAL_URL.startsWith('https://')) {
    wrong.push('PORTAL_URL: must start with https:// in production; browsers keep passkeys from anything else');
  }
  for (const name of ['DATABASE_URL', 'STANDBY_DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const) {
    const url = variables[name];
    if (url !== undefined && !saysHowToEncrypt(url))
      wrong.push(`${name}: sslmode: is required in production for a server on another machine; plain text has to be asked for`);
  }
  if (variables.SMTP_URL !== undefined && !encryptsMail(variables.SMTP_URL)) wrong.push(plainMail);
  if (variables.MAIL_FROM !== undefined && !hasRealDomain(variables.MAIL_FROM)) {
    wrong.push('MAIL_FROM: must be an address of a domain of yours in production; mail servers refuse any other');
  }
  if (role === 'portal' || role === 'machine-api') {
    const held = signingVariables.filter((name) => variables[name] !== undefined);
    wrong.push(...held.map((name) => `${name}: is for the workers alone; take it away from this process`));
  }
  if (role !== 'service' && processRoles.some((each) => each === role) && variables.ACME_DIR !== undefined) {
    wrong.push('ACME_DIR: is for everything in one process (oi start); give this one the files of a certificate');
  }
  for (const name of keyPlaces) {
    const path = variables[name];
    const folder = (['DATA_DIR', 'BACKUP_DIR'] as const).find((each) => path !== undefined && liesIn(variables[each], path));
    if (folder) wrong.push(`${name}: must not lie in ${folder}; a copy of the data would hold its key`);
  }
  if (variables.STANDBY_DATABASE_URL !== undefined && role === 'service') {
    wrong.push('STANDBY_DATABASE_URL: is for portals by themselves (oi start portal)');
  }
  if (variables.BACKUP_DIR !== undefined && variables.DATABASE_URL !== undefined) {
    wrong.push('BACKUP_DIR: is for a database in DATA_DIR; back up the one in DATABASE_URL with its own tools');
  }
  for (const name of ['PORTAL_PORT', 'MACHINE_API_PORT', 'METRICS_PORT'] as const) {
    if (variables[name] === 0) wrong.push(`${name}: must not be 0 in production, where others have to know the port`);
  }
  if (variables.DEVELOPMENT_WEBHOOK_HOSTS !== undefined) {
    wrong.push('DEVELOPMENT_WEBHOOK_HOSTS: is refused in production, where webhooks go to public addresses only');
  }
  return wrong;
}
