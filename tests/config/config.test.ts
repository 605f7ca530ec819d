import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../server/config/config.ts';
import { ConfigError } from '../../server/config/ConfigError.ts';

const key = 'ab'.repeat(32);
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://svc:pw@db.internal/svc?sslmode=verify-full&sslrootcert=system',
  MASTER_KEY: key,
  SMTP_URL: 'smtps://user:pw@mail.internal',
  MAIL_FROM: 'Integrations <no-reply@example.com>',
  PORTAL_URL: 'https://portal.example.com',
  MACHINE_API_URL: 'https://api.example.com',
  SIGNING_KEY: 'ef'.repeat(32),
  MACHINE_TLS_CERT_FILE: 'server.pem',
  MACHINE_TLS_KEY_FILE: 'server.key',
  APP_URL: 'https://app.example.com',
  TRUSTED_PROXIES: '10.0.0.0/8',
  TRUSTED_BALANCERS: '10.0.0.0/8',
  SUPPORT_CONTACT: 'support@example.com',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const refusalOf = (env: Record<string, string>): string => {
  try {
    readConfig('service', env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return 'taken';
};

test('nothing needs to be set on a developer’s machine', () => {
  expect(readConfig('service', {})).toMatchObject({
    production: false,
    host: '127.0.0.1',
    portalPort: 3000,
    machineApiPort: 8443,
    metricsHost: '127.0.0.1',
    metricsPort: 9464,
    drainSeconds: 0,
    databaseUrl: undefined,
    smtpUrl: undefined,
    masterKey: undefined,
    logLevel: 'info',
  });
});

test('webhooks reach a receiver on a developer’s machine, by a name below .test or .example that leads to a loopback address', () => {
  expect(readConfig('service', {}).developmentWebhookHosts).toEqual(new Map([['receiver.test', { address: '127.0.0.1', port: 9443 }]]));
  const given = readConfig('workers', { DEVELOPMENT_WEBHOOK_HOSTS: 'a.test=127.0.0.2:9001, b.c.example=[::1]:443' });
  expect(given.developmentWebhookHosts).toEqual(
    new Map([
      ['a.test', { address: '127.0.0.2', port: 9001 }],
      ['b.c.example', { address: '::1', port: 443 }],
    ]),
  );
});

test.each([
  'a.test',
  'a.test=10.0.0.1:443',
  'a.test=127.0.0.1',
  'a.test=127.0.0.1:99999',
  'a.example.com=127.0.0.1:443',
  'a.test=localhost:443',
])('the webhook host %s is refused, so that no name leads anywhere but to this machine', (value) =>
  expect(refusalOf({ DEVELOPMENT_WEBHOOK_HOSTS: value })).toContain('DEVELOPMENT_WEBHOOK_HOSTS: must be a comma-separated list'),
);

test('production takes no webhook hosts of a developer’s machine', () => {
  expect(readConfig('workers', production).developmentWebhookHosts).toEqual(new Map());
  const refusal = refusalOf({ ...production, DEVELOPMENT_WEBHOOK_HOSTS: 'receiver.test=127.0.0.1:9443' });
  expect(refusal).toContain('DEVELOPMENT_WEBHOOK_HOSTS: is refused in production');
});

test('an empty variable counts as not set', () => {
  expect(readConfig('service', { PORTAL_PORT: '', DATABASE_URL: '', SMTP_URL: '' })).toMatchObject({
    portalPort: 3000,
    databaseUrl: undefined,
    smtpUrl: undefined,
  });
});

describe('a wrong variable stops the start with its name and rule, never its value', () => {
  test.each([
    ['NODE_ENV', 'staging-secret'],
    ['PORTAL_PORT', 'secret'],
    ['PORTAL_PORT', '65536'],
    ['MACHINE_API_PORT', '-1'],
    ['METRICS_PORT', '80.5'],
    ['DATABASE_URL', 'mysql://user:secret@host/db'],
    ['PORTAL_URL', 'portal.secret.example'],
    ['PORTAL_URL', 'https://portal.secret.example/'],
    ['PORTAL_URL', 'https://portal.secret.example/path'],
    ['MACHINE_API_URL', 'https://api.secret.example:443'],
    ['MASTER_KEY', 'secret'],
    ['MASTER_KEY', key.toUpperCase()],
    ['MASTER_KEY', `${key}ab`],
    ['MASTER_KEY', '0'.repeat(64)],
    ['SIGNING_KEY', 'x'.repeat(64)],
    ['SIGNING_KEY', 'f'.repeat(64)],
    ['SMTP_URL', 'https://user:secret@mail.example'],
    ['SMTP_URL', 'smtps://'],
    ['SMTP_URL', 'smtps://user:pass/secret@mail.example'],
    ['MAIL_FROM', 'secret'],
    ['MAIL_FROM', 'secret <no-reply>'],
    ['MAIL_FROM', 'Secret no-reply@secret.example'],
    ['TRUSTED_PROXIES', 'secret'],
    ['TRUSTED_BALANCERS', '10.0.0.1:443/secret'],
    ['TRUSTED_BALANCERS', '10.0.0.1,0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/0'],
    ['DRAIN_SECONDS', '301'],
    ['DRAIN_SECONDS', '-1'],
    ['DRAIN_SECONDS', '1.5'],
    ['DRAIN_SECONDS', 'secret'],
    ['TRUSTED_PROXIES', 'none, 10.0.0.1, secret'],
    ['SUPPORT_CONTACT', 'secret'],
    ['SUPPORT_CONTACT', 'mailto:secret'],
    ['SUPPORT_CONTACT', 'http://help.secret.example'],
    ['SUPPORT_CONTACT', 'https://help.secret.example/a b'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector.secret:4318'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['LOG_LEVEL', 'verbose-secret'],
    ['ALLOW_GENERATED_KEYS', 'yes'],
  ])('%s=%s', (name, value) => {
    const message = refusalOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name}: must `));
    expect(message).not.toContain(value);
    expect(message).not.toContain('secret');
  });

  test('several at once, a line each', () => {
    expect(refusalOf({ PORTAL_PORT: 'x', MASTER_KEY: 'y', LOG_LEVEL: 'z' }).split('\n')).toEqual([
      expect.stringMatching(/^PORTAL_PORT: /),
      expect.stringMatching(/^MASTER_KEY: /),
      expect.stringMatching(/^LOG_LEVEL: /),
    ]);
  });
});

test.each([
  ['', 'mailto:support@localhost', 'support@localhost'],
  ['help+svc@example.com', 'mailto:help+svc@example.com', 'help+svc@example.com'],
  ['mailto:help@example.com?subject=Portal', 'mailto:help@example.com?subject=Portal', 'help@example.com'],
  ['https://example.com/help', 'https://example.com/help', 'https://example.com/help'],
])('the support contact “%s” is linked as %s and reads %s', (value, url, text) => {
  expect(readConfig('service', { SUPPORT_CONTACT: value }).supportContact).toEqual({ url, text });
});

describe('keys from files', () => {
  test('are read without their last line break; a key that is set in both ways is refused, because only one of them could count', () => {
    const path = join(folder, 'master.key');
    writeFileSync(path, `${key}\n`);
    expect(readConfig('service', { MASTER_KEY_FILE: path }).masterKey?.toString('hex')).toBe(key);
    const names = ['MASTER_KEY', 'SIGNING_KEY', 'MASTER_KEY_PREVIOUS', 'SIGNING_KEY_PREVIOUS'];
    for (const name of names) {
      const current = name.endsWith('_PREVIOUS') ? { [name.replace('_PREVIOUS', '')]: 'cd'.repeat(32) } : {};
      const both = { ...current, [`${name}_FILE`]: path, [name]: key };
      expect(refusalOf(both)).toBe(`${name}: must not be set beside ${name}_FILE`);
    }
  });

  test('that cannot be read or hold something else are refused by the variable’s name', () => {
    const path = join(folder, 'wrong.key');
    writeFileSync(path, 'content-secret');
    expect(refusalOf({ MASTER_KEY_FILE: join(folder, 'missing') })).toBe('MASTER_KEY_FILE: the file cannot be read');
    expect(refusalOf({ SIGNING_KEY_FILE: path })).toMatch(/^SIGNING_KEY_FILE: the file must be 32 bytes/);
    expect(refusalOf({ SIGNING_KEY_FILE: path })).not.toContain('content-secret');
  });
});

describe('a wrapping key that is being changed', () => {
  const next = 'cd'.repeat(32);
  test.each(['MASTER_KEY', 'SIGNING_KEY'])('is read beside the new %s, from its variable or its file', (name) => {
    const path = join(folder, 'former.key');
    writeFileSync(path, `${key}\n`);
    const property = name === 'MASTER_KEY' ? 'masterKeyPrevious' : 'signingKeyPrevious';
    for (const former of [{ [`${name}_PREVIOUS`]: key }, { [`${name}_PREVIOUS_FILE`]: path }]) {
      expect(readConfig('service', { [name]: next, ...former })[property]?.toString('hex')).toBe(key);
    }
  });

  test('needs the new one, and must be another', () => {
    expect(refusalOf({ MASTER_KEY_PREVIOUS: key })).toBe('MASTER_KEY: is required when MASTER_KEY_PREVIOUS is set');
    expect(refusalOf({ SIGNING_KEY: key, SIGNING_KEY_PREVIOUS: key })).toBe('SIGNING_KEY_PREVIOUS: must be another key than SIGNING_KEY');
  });
});

test('the key of the workers is not the key that every process has', () => {
  expect(refusalOf({ MASTER_KEY: key, SIGNING_KEY: key })).toBe('SIGNING_KEY: must be another key than MASTER_KEY');
});

describe('a variable that nobody reads', () => {
  test.each([
    ['SINGING_KEY', 'SIGNING_KEY'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['drain_seconds', 'DRAIN_SECONDS'],
    ['DATABASE_PORTAL_CONNECTION', 'DATABASE_PORTAL_CONNECTIONS'],
    ['MASTER_KEY_PREVIOUS_FIEL', 'MASTER_KEY_PREVIOUS_FILE'],
    ['ALLOW_GENERATED_KEY', 'ALLOW_GENERATED_KEYS'],
  ])('stops the start if it is nearly the name of one: %s is told from %s', (name, meant) => {
    expect(refusalOf({ [name]: 'secret' })).toBe(`${name}: is not a variable of the service; is ${meant} meant?`);
  });

  test.each([
    'PGHOST',
    'PGPORT',
    'HOSTNAME',
    'NODE_EXTRA_CA_CERTS',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_TRACES_SAMPLER',
    'OTEL_SERVICE_NAME',
    'PORTAL_PORT_3000_TCP',
    'POSTGRES_PASSWORD',
    'SSH_AUTH_SOCK',
  ])('and is left to other programs otherwise: %s', (name) => {
    expect(refusalOf({ [name]: 'anything' })).toBe('taken');
  });
});

test('a server certificate needs its key and the other way round', () => {
  expect(refusalOf({ MACHINE_TLS_CERT_FILE: 'a.pem' })).toMatch(/^MACHINE_TLS_KEY_FILE: /);
  expect(refusalOf({ MACHINE_TLS_KEY_FILE: 'a.key' })).toMatch(/^MACHINE_TLS_CERT_FILE: /);
  expect(refusalOf({ PORTAL_TLS_CERT_FILE: 'a.pem' })).toMatch(/^PORTAL_TLS_KEY_FILE: /);
});

describe('production', () => {
  test('starts with a database, a key, mail and its addresses', () => {
    expect(readConfig('service', production)).toMatchObject({ production: true, portalUrl: production.PORTAL_URL });
  });

  test.each([
    'MASTER_KEY',
    'SIGNING_KEY',
    'SMTP_URL',
    'MAIL_FROM',
    'PORTAL_URL',
    'MACHINE_API_URL',
    'APP_URL',
    'TRUSTED_PROXIES',
    'TRUSTED_BALANCERS',
    'SUPPORT_CONTACT',
  ])('refuses to start without %s', (name) => {
    expect(refusalOf({ ...production, [name]: '' })).toMatch(new RegExp(`^${name}: is required in production`));
  });

  test('migrates with a role of its own, and needs nothing else for it', () => {
    const plain = 'postgres://svc_owner:pw@db.internal/svc';
    const url = `${plain}?sslmode=verify-full&sslrootcert=system`;
    expect(readConfig('migrate', { NODE_ENV: 'production', MIGRATION_DATABASE_URL: url }).migrationDatabaseUrl).toBe(url);
    expect(() => readConfig('migrate', { NODE_ENV: 'production', MIGRATION_DATABASE_URL: plain })).toThrow(
      'MIGRATION_DATABASE_URL: sslmode: is required in production',
    );
    expect(() => readConfig('migrate', { NODE_ENV: 'production', DATABASE_URL: url })).toThrow(
      'MIGRATION_DATABASE_URL: is required in production',
    );
  });

  test('starts without any proxy or balancer when it is told that there is none', () => {
    const given = readConfig('service', { ...production, TRUSTED_PROXIES: 'none', TRUSTED_BALANCERS: 'none' });
    expect([given.trustedProxies.rules, given.trustedBalancers.rules]).toEqual([[], []]);
  });

  test('serves on for ten seconds when it is told to stop, or for as long as it is told', () => {
    expect(readConfig('workers', production).drainSeconds).toBe(10);
    expect(readConfig('workers', { ...production, DRAIN_SECONDS: '0' }).drainSeconds).toBe(0);
  });

  test('everything in one process needs a database, or a named folder for one; a process of its own needs a database', () => {
    const { DATABASE_URL: _url, ...without } = production;
    expect(refusalOf(without)).toMatch(/^DATA_DIR: is required in production/);
    expect(readConfig('service', { ...without, DATA_DIR: folder })).toMatchObject({ databaseUrl: undefined, dataDir: folder });
    expect(() => readConfig('workers', { ...without, DATA_DIR: folder })).toThrow('DATABASE_URL: is required in production');
  });

  test('keeps no key beside the data, where a copy of the data would hold it', () => {
    const path = join(folder, 'data', 'master.key');
    mkdirSync(join(folder, 'data'), { recursive: true });
    writeFileSync(path, key);
    const { MASTER_KEY: _key, ...without } = production;
    expect(refusalOf({ ...without, MASTER_KEY_FILE: path, DATA_DIR: join(folder, 'data') })).toMatch(
      /^MASTER_KEY_FILE: must not lie in DATA_DIR/,
    );
    expect(refusalOf({ ...without, MASTER_KEY_FILE: path, DATA_DIR: join(folder, 'dat') })).toBe('taken');
  });

  test.each([
    ['MASTER_KEY', 'ALLOW_GENERATED_KEYS'],
    ['SIGNING_KEY', 'ALLOW_GENERATED_KEYS'],
    ['SMTP_URL', 'ALLOW_DEVELOPMENT_MAILBOX'],
  ])('does without %s only when asked for by name: %s', (name, permission) => {
    expect(refusalOf({ ...production, [name]: '', [permission]: 'false' })).toContain(permission);
    expect(refusalOf({ ...production, [name]: '', [permission]: 'true' })).toBe('taken');
  });

  test.each([
    ['smtps://user:pw@mail.internal', 'taken'],
    ['smtp://user:pw@mail.internal?requireTLS=true', 'taken'],
    // Within the machine, a relay needs no certificate.
    ['smtp://127.0.0.1:25', 'taken'],
    ['smtp://[::1]', 'taken'],
    ['smtp://user:pw@mail.internal:465', 'refused'],
    ['smtp://user:pw@mail.internal', 'refused'],
    ['smtp://user:pw@mail.internal?requireTLS=false', 'refused'],
    ['smtp://user:pw@127.mail.internal', 'refused'],
    ['smtps://user:pw@mail.internal?tls.rejectUnauthorized=false', 'refused'],
    ['smtp://user:pw@mail.internal?requireTLS=true&tls.rejectUnauthorized=false', 'refused'],
  ])('sends no password and no link in plain text, nor to anybody’s certificate: SMTP_URL=%s is %s', (url, outcome) => {
    const message = refusalOf({ ...production, SMTP_URL: url });
    expect(message).toMatch(outcome === 'taken' ? /^taken$/ : /^SMTP_URL: must start with smtps:/);
    expect(message).not.toContain('pw@');
    expect(readConfig('service', { SMTP_URL: url }).smtpUrl).toBe(url);
  });

  test.each([
    'no-reply@localhost',
    'Integrations <no-reply@portal>',
    'a@svc.test',
    'a@mail.local',
    'a@mail.internal',
    'a@b.invalid',
    'a@b.example',
  ])('sends no mail from %s, whose domain is nobody’s', (from) => {
    expect(refusalOf({ ...production, MAIL_FROM: from })).toMatch(/^MAIL_FROM: must be an address of a domain of yours/);
    expect(readConfig('service', { MAIL_FROM: from }).mailFrom).toBe(from);
  });

  test.each(['no-reply@svc.example.com', 'Integrations <no-reply@test.example.com>'])('sends mail from %s', (from) => {
    expect(readConfig('workers', { ...production, MAIL_FROM: from }).mailFrom).toBe(from);
  });

  test('needs no sender without a mail server, and shows the development mailbox only where that is allowed', () => {
    const { SMTP_URL, MAIL_FROM, ...without } = production;
    expect(readConfig('workers', { ...without, ALLOW_DEVELOPMENT_MAILBOX: 'true' }).smtpUrl).toBeUndefined();
    expect(refusalOf({ ...without, SMTP_URL, ALLOW_DEVELOPMENT_MAILBOX: 'true' })).toMatch(/^MAIL_FROM: is required/);
    const { SIGNING_KEY: _key, ...portals } = without;
    expect(readConfig('portal', portals).developmentMailbox).toBe(false);
    expect(readConfig('portal', { ...portals, ALLOW_DEVELOPMENT_MAILBOX: 'true' }).developmentMailbox).toBe(true);
    expect(readConfig('service', { ...production, MAIL_FROM, ALLOW_DEVELOPMENT_MAILBOX: 'true' }).developmentMailbox).toBe(false);
    expect(readConfig('service', {}).developmentMailbox).toBe(true);
  });

  test.each(['SIGNING_KEY', 'SIGNING_KEY_FILE', 'SIGNING_KEY_PREVIOUS', 'SIGNING_KEY_PREVIOUS_FILE'])(
    'gives %s to no process that does not sign',
    (name) => {
      const path = join(folder, 'signing.key');
      writeFileSync(path, 'cd'.repeat(32));
      const { SIGNING_KEY, ...without } = production;
      const current = name.includes('PREVIOUS') ? { SIGNING_KEY } : {};
      const held = { ...without, ...current, [name]: name.endsWith('FILE') ? path : 'cd'.repeat(32) };
      expect(readConfig('workers', held).signingKey).toBeDefined();
      for (const role of ['portal', 'machine-api'] as const) {
        expect(() => readConfig(role, held)).toThrow(`${name}: is for the workers alone`);
      }
    },
  );

  test('has a standby read by portals that run by themselves, whose URL says how to encrypt', () => {
    const { SIGNING_KEY: _, ...without } = production;
    const url = 'postgres://oi_portal:pw@standby.internal/svc?sslmode=verify-full&sslrootcert=system';
    expect(readConfig('portal', { ...without, STANDBY_DATABASE_URL: url }).standbyDatabaseUrl).toBe(url);
    expect(() => readConfig('portal', { ...without, STANDBY_DATABASE_URL: 'postgres://oi_portal:pw@standby.internal/svc' })).toThrow(
      'STANDBY_DATABASE_URL: sslmode: is required in production',
    );
    expect(refusalOf({ ...production, STANDBY_DATABASE_URL: url })).toContain('STANDBY_DATABASE_URL: is for portals by themselves');
  });

  test.each(['PORTAL_PORT', 'MACHINE_API_PORT', 'METRICS_PORT'])('takes no %s that is only known once it is bound', (name) => {
    expect(refusalOf({ ...production, [name]: '0' })).toMatch(new RegExp(`^${name}: must not be 0 in production`));
  });

  test('refuses to make a server certificate for the machine API', () => {
    expect(refusalOf({ ...production, MACHINE_TLS_CERT_FILE: '', MACHINE_TLS_KEY_FILE: '' })).toMatch(
      /^MACHINE_TLS_CERT_FILE: is required in production/,
    );
  });

  test.each([
    ['portal', ['SIGNING_KEY', 'SMTP_URL', 'MAIL_FROM', 'MACHINE_TLS_CERT_FILE', 'MACHINE_TLS_KEY_FILE', 'TRUSTED_BALANCERS']],
    ['machine-api', ['SIGNING_KEY', 'SMTP_URL', 'MAIL_FROM', 'MACHINE_API_URL', 'APP_URL', 'TRUSTED_PROXIES']],
    ['workers', ['MACHINE_TLS_CERT_FILE', 'MACHINE_TLS_KEY_FILE', 'APP_URL', 'TRUSTED_PROXIES', 'TRUSTED_BALANCERS']],
  ] as const)('the %s process does without %s', (role, needless) => {
    const env = Object.fromEntries(Object.entries(production).filter(([name]) => !(needless as readonly string[]).includes(name)));
    expect(readConfig(role, env).production).toBe(true);
  });
});
