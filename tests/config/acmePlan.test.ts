import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { readConfig, type ProcessRole } from '../../server/config/config.ts';

const sound = {
  ACME_DIR: '/etc/oi/acme',
  ACME_AGREE_TO_TERMS: 'true',
  PORTAL_URL: 'https://portal.example.com',
  MACHINE_API_URL: 'https://api.example.com:8443',
};

function problemsOf(change: Readonly<Record<string, string>>, role: ProcessRole = 'service'): string {
  try {
    readConfig(role, { ...sound, ...change });
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'none';
}

test('a folder and an agreement are enough for a certificate of Let’s Encrypt for both names, which both servers read', () => {
  const { acme, portalTls, machineTls } = readConfig('service', sound);
  expect(acme).toEqual({
    dir: '/etc/oi/acme',
    server: 'https://acme-v02.api.letsencrypt.org/directory',
    email: undefined,
    names: new Map([
      ['portal.example.com', 'PORTAL_URL'],
      ['api.example.com', 'MACHINE_API_URL'],
    ]),
    host: '127.0.0.1',
    port: 80,
    socket: undefined,
    portalUrl: 'https://portal.example.com',
  });
  const certFile = '/etc/oi/acme/acme-v02.api.letsencrypt.org.pem';
  expect(portalTls).toEqual({ certFile, keyFile: certFile, variables: { cert: 'ACME_DIR', key: 'ACME_DIR' } });
  expect(machineTls).toEqual(portalTls);
});

test('one host of both is one name, and another authority has another file', () => {
  const { acme, portalTls } = readConfig('service', {
    ...sound,
    MACHINE_API_URL: 'https://portal.example.com:8443',
    ACME_SERVER: 'https://ca.internal:9000/acme/directory',
    ACME_EMAIL: 'ops@example.com',
    ACME_HTTP_PORT: '8080',
  });
  expect(acme).toMatchObject({
    email: 'ops@example.com',
    port: 8080,
    names: new Map([['portal.example.com', 'PORTAL_URL, MACHINE_API_URL']]),
  });
  expect(portalTls?.certFile).toBe('/etc/oi/acme/ca.internal_9000.pem');
});

test('the socket named http is the one on which the authority is answered', () => {
  const held = { LISTEN_PID: String(process.pid), LISTEN_FDS: '2', LISTEN_FDNAMES: 'portal:http' };
  expect(readConfig('service', { ...sound, ...held }).acme?.socket).toBe(4);
});

test('without the folder nothing is asked for', () => {
  expect(readConfig('service', {}).acme).toBeUndefined();
  expect(readConfig('service', { ACME_AGREE_TO_TERMS: 'false' }).acme).toBeUndefined();
});

test.each([
  [{ ACME_AGREE_TO_TERMS: '' }, 'ACME_AGREE_TO_TERMS: must be true when ACME_DIR is set, once you have read the terms of acme-v02'],
  [{ ACME_AGREE_TO_TERMS: 'false' }, 'ACME_AGREE_TO_TERMS: must be true'],
  [{ ACME_AGREE_TO_TERMS: 'yes' }, 'ACME_AGREE_TO_TERMS: must be true or false'],
  [{ ACME_DIR: '' }, 'ACME_DIR: is required when ACME_AGREE_TO_TERMS is set'],
  [{ ACME_DIR: '', ACME_AGREE_TO_TERMS: '', ACME_EMAIL: 'ops@example.com' }, 'ACME_DIR: is required when ACME_EMAIL is set'],
  [{ ACME_SERVER: 'http://ca.example/directory' }, 'ACME_SERVER: must be the https:// URL'],
  [{ ACME_EMAIL: 'nobody' }, 'ACME_EMAIL'],
  [{ PORTAL_URL: '' }, 'PORTAL_URL: must be https:// with a name when ACME_DIR is set'],
  [{ PORTAL_URL: 'http://portal.example.com' }, 'PORTAL_URL: must be https:// with a name'],
  [{ MACHINE_API_URL: 'https://192.0.2.1' }, 'MACHINE_API_URL: must be https:// with a name'],
  [{ MACHINE_API_URL: 'https://[2001:db8::1]' }, 'MACHINE_API_URL: must be https:// with a name'],
  [{ PORTAL_TLS_CERT_FILE: 'a.pem', PORTAL_TLS_KEY_FILE: 'a.key' }, 'PORTAL_TLS_CERT_FILE: must not be set beside ACME_DIR'],
  [{ MACHINE_TLS_CERT_FILE: 'a.pem', MACHINE_TLS_KEY_FILE: 'a.key' }, 'MACHINE_TLS_KEY_FILE: must not be set beside ACME_DIR'],
  [{ ACME_SEVER: 'https://ca.example/directory' }, 'ACME_SEVER: is not a variable of the service; is ACME_SERVER meant?'],
])('what does not fit is named: %j', (change, words) => {
  expect(problemsOf(change)).toContain(words);
});

const production = {
  NODE_ENV: 'production',
  DATA_DIR: '/var/lib/oi',
  MASTER_KEY: 'ab'.repeat(32),
  SIGNING_KEY: 'cd'.repeat(32),
  SMTP_URL: 'smtps://user:pw@mail.example.com',
  MAIL_FROM: 'no-reply@example.com',
  APP_URL: 'https://app.example.com',
  TRUSTED_PROXIES: 'none',
  TRUSTED_BALANCERS: 'none',
  SUPPORT_CONTACT: 'support@example.com',
};

test('in production it takes the place of the files of a certificate', () => {
  expect(problemsOf(production)).toBe('none');
  expect(problemsOf({ ...production, ACME_DIR: '', ACME_AGREE_TO_TERMS: '' })).toBe(
    'MACHINE_TLS_CERT_FILE: is required in production, or ACME_DIR with oi start (or set ALLOW_GENERATED_KEYS=true)',
  );
});

test('its keys do not lie among the data that backups copy', () => {
  expect(problemsOf({ ...production, ACME_DIR: '/var/lib/oi/acme' })).toBe(
    'ACME_DIR: must not lie in DATA_DIR; a copy of the data would hold its key',
  );
  expect(problemsOf({ ...production, BACKUP_DIR: resolve('b'), ACME_DIR: 'b/acme' })).toContain('ACME_DIR: must not lie in BACKUP_DIR');
});

test.each(['portal', 'machine-api', 'workers'] as const)('%s, which is one of several processes, does not take it', (role) => {
  expect(problemsOf({ ...production, DATABASE_URL: 'postgres://a@127.0.0.1/a' }, role)).toContain(
    'ACME_DIR: is for everything in one process (oi start)',
  );
});

test.each(['admin', 'migrate'] as const)('the command %s beside the service takes the same settings', (role) => {
  expect(problemsOf({ ...production, MIGRATION_DATABASE_URL: 'postgres://a@127.0.0.1/a' }, role)).toBe('none');
  expect(readConfig(role, sound).acme).toBeUndefined();
});
