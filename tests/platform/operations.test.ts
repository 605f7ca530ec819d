import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readConfig } from '../../server/config/config.ts';
import { retryAfterSeconds } from '../../server/database/unavailable.ts';
import { errorCatalogue } from '../../server/domain/shared/errorCatalogue.ts';
import { registry } from '../../server/platform/metrics.ts';
import '../../server/database/connection/poolMetrics.ts';
import '../../workers/webhooks/webhookMetrics.ts';

const read = (path: string) => readFileSync(path, 'utf8');
type Rules = { readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[] };
type Dashboard = { readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[] };

const metrics = registry.getMetricsAsArray();
/** Every name of a series that the processes can show. */
const series = new Set(
  metrics.flatMap(({ name, type }) => {
    // The library tells the type of a metric as its word, whatever its own declarations say.
    const kind = String(type);
    return kind === 'histogram'
      ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]
      : kind === 'summary'
        ? [`${name}_sum`, `${name}_count`]
        : [name];
  }),
);
/** The page on operating the service and those below it. */
const operatingPages = () =>
  ['docs/operating.md', ...(existsSync('docs/operating') ? readdirSync('docs/operating').map((file) => `docs/operating/${file}`) : [])]
    .map(read)
    .join('\n');
const namesIn = (text: string) => text.match(/\b(?:svc|nodejs|process)_[a-z0-9_]+/g) ?? [];

test.each([
  [
    'the alarms',
    () => (parse(read('operations/prometheus/alerts.yml')) as Rules).groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ],
  [
    'the dashboard',
    () =>
      (JSON.parse(read('operations/grafana/dashboard.json')) as Dashboard).panels.flatMap(({ targets = [] }) =>
        targets.map(({ expr }) => expr),
      ),
  ],
  ['the tests of the alarms', () => [read('operations/prometheus/alerts.test.yml')]],
  ['the page for people who operate the service', () => [operatingPages()]],
])('%s: every metric that is named there is one that the processes have', (_what, expressions) => {
  const names = expressions().flatMap(namesIn);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !series.has(name))).toEqual([]);
});

test('every metric of the service is on the page for people who operate it', () => {
  const page = operatingPages();
  const names = metrics.map(({ name }) => name).filter((name) => name.startsWith('svc_'));
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('metrics are named by Prometheus’ rules, and no label is one of its own or could name a person or a client', () => {
  const wrong = metrics.flatMap((metric) => {
    const { name, help, type, labelNames = [] } = metric as typeof metric & { readonly labelNames?: readonly string[] };
    const total = name.endsWith('_total');
    return [
      ...(help === '' ? [`${name} has no help`] : []),
      ...((String(type) === 'counter') === total ? [] : [`${name} is a ${String(type)}`]),
      ...(/_(ms|milliseconds|minutes|hours|days|kb|mb|percent)(_total)?$/.test(name) ? [`${name} has no base unit`] : []),
      ...labelNames
        .filter((label) => ['job', 'instance', 'le', 'quantile'].includes(label) || /(^|_)id$/.test(label))
        .map((label) => `${name} has ${label}`),
    ];
  });
  expect(wrong).toEqual([]);
});

const run = promisify(execFile);

type Service = {
  readonly image?: string;
  readonly entrypoint?: readonly string[];
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
};
const compose = parse(read('operations/container/compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, unknown>>;
};
const units = readdirSync('operations/systemd').filter((file) => file.endsWith('.service'));
const assignments = (text: string) =>
  Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const));

/** As a process would read them, with keys in place of the files that only a server has, and without placeholders. */
function asStarted(variables: Readonly<Record<string, string>>): Record<string, string> {
  const given = assignments(read('operations/container/compose.env'));
  const filled = Object.entries(variables).map(([name, value]) => {
    if (/^(MASTER|SIGNING)_KEY_FILE$/.test(name)) return [name.replace('_FILE', ''), (name.startsWith('M') ? 'ab' : 'cd').repeat(32)];
    return [
      name,
      value
        .replace(/\$\{(\w+):[?-]\w*\}/g, (_placeholder, variable: string) => given[variable] || 'x')
        .replace(/[?&]sslrootcert=.*$|verify-full.*$/, (part) => (part.startsWith('verify') ? 'disable' : '')),
    ];
  });
  return { ...(Object.fromEntries(filled) as Record<string, string>), NODE_ENV: 'production' };
}

const unitVariables = (unit: string) => {
  const inUnit = assignments(
    read(`operations/systemd/operator-integration-${unit}.service`)
      .replace(/^Environment=/gm, '')
      .replace(/ (?=[A-Z_]+=)/g, '\n'),
  );
  return { ...inUnit, ...assignments(read(`operations/systemd/${unit}.env`)) };
};

test.each([
  ['portal', unitVariables('portal'), compose.services['portal2']],
  ['machine-api', unitVariables('machine-api'), compose.services['machine2']],
  ['workers', unitVariables('workers'), compose.services['workers2']],
  ['migrate', unitVariables('migrate'), compose.services['migrate']],
] as const)('%s starts in production with the variables of its unit and of its container', (role, unit, service) => {
  const known = new Set(
    read('.env.example')
      .match(/^# [A-Z_]+(?==)/gm)
      ?.map((line) => line.slice(2)),
  );
  for (const variables of [unit, service?.environment ?? {}]) {
    const started = asStarted(variables);
    expect(Object.keys(started).length).toBeGreaterThan(1);
    expect(Object.keys(started).filter((name) => !known.has(name))).toEqual([]);
    expect(() => readConfig(role, started)).not.toThrow();
  }
});

test('everything on one machine starts in production with the settings of its page, on the folders and sockets of its units', () => {
  const page = read('docs/operating/one-machine.md');
  const [choices = ''] = page.split('## 1.');
  const chosen = Object.fromEntries(
    [...choices.matchAll(/^([A-Z_]+)=('?)([^#\n]*?)\2(?: +#.*)?$/gm)].map(([, name, , value]) => [name, value]),
  );
  const [, settings = ''] = /cat > "\$ETC\/oi\.env" <<END\n([^]*?)^END$/m.exec(page) ?? [];
  const given = assignments(settings.replaceAll(/\$([A-Z_]+)/g, (_all, name: string) => chosen[name] ?? ''));
  const config = readConfig('service', asStarted(given));
  expect(config).toMatchObject({ dataDir: chosen['DATA'], backups: { dir: chosen['BACKUPS'] } });
  const unit = read('operations/systemd/operator-integration.service');
  expect(unit).toContain(`\nEnvironmentFile=${chosen['ETC']}/oi.env\n`);
  expect(unit).toContain(`\nReadWritePaths=${chosen['DATA']} ${chosen['BACKUPS']} -${config.acme?.dir}\n`);
  expect(unit).toContain(`\nUser=${chosen['ACCOUNT']}\n`);
  // What a release may write is in its unit.
  expect(page.split('## Upgrade')[1]).toMatch(/copy its units again[^]*`systemctl daemon-reload`/);
  const sockets = readdirSync('operations/systemd').filter((file) => file.endsWith('.socket'));
  // With certificates of one’s own, port 80 is left alone.
  expect(/^Sockets=(.*)$/m.exec(unit)?.[1]?.split(' ')).toEqual(sockets.filter((file) => !file.endsWith('-http.socket')));
  const held = sockets.map((file) => assignments(read(`operations/systemd/${file}`).replace(/^(\w+)=/gm, (name) => name.toUpperCase())));
  expect(held.map(({ SERVICE: service }) => service)).toEqual(held.map(() => 'operator-integration.service'));
  expect(held.map(({ FILEDESCRIPTORNAME: name, LISTENSTREAM: port }) => [name, port])).toEqual([
    ['http', String(config.acme?.port)],
    ['portal', String(config.portalPort)],
    ['machine-api', String(config.machineApiPort)],
  ]);
});

test('a unit, whose user reads none of root’s files, has every file that its variables name as a credential', () => {
  const named = ['portal', 'machine-api', 'workers', 'migrate'].flatMap((unit) => {
    const text = read(`operations/systemd/operator-integration-${unit}.service`);
    const credentials = [...text.matchAll(/^LoadCredential=([\w.-]+):\/etc\/operator-integration-service\/\1$/gm)].map(([, name]) => name);
    return Object.entries(unitVariables(unit))
      .flatMap(([variable, value]) =>
        variable.endsWith('_FILE') ? [value] : (value.match(/(?<=[?&]ssl(?:rootcert|cert|key)=)[^&]+/g) ?? []),
      )
      .map((path) => path.replace('%d', `/run/credentials/operator-integration-${unit}.service`))
      .map((path) => [path, credentials.some((name) => path === `/run/credentials/operator-integration-${unit}.service/${name}`)]);
  });
  expect(named.length).toBe(10);
  expect(named.filter(([, held]) => !held)).toEqual([]);
});

/** The variables that hold a secret, or name the file that does. */
const secrets = {
  portal: ['DATABASE_URL', 'MASTER_KEY_FILE'],
  'machine-api': ['DATABASE_URL', 'MACHINE_TLS_KEY_FILE', 'MASTER_KEY_FILE'],
  workers: ['DATABASE_URL', 'MASTER_KEY_FILE', 'SIGNING_KEY_FILE', 'SMTP_URL'],
  migrate: ['MIGRATION_DATABASE_URL'],
} as const;

test.each([
  ['portal', compose.services['portal1'], 'oi_portal'],
  ['machine-api', compose.services['machine1'], 'oi_machine_api'],
  ['workers', compose.services['workers1'], 'oi_workers'],
  ['migrate', compose.services['migrate'], 'oi_owner'],
] as const)('%s is given the secrets that it uses and no other, by its unit and by its container', (role, service, user) => {
  for (const variables of [unitVariables(role), service?.environment ?? {}]) {
    const held = Object.keys(variables).filter((name) => /DATABASE_URL|SMTP_URL|PASSWORD|SECRET|TOKEN|_KEY(_|$)/.test(name));
    expect(held.toSorted()).toEqual(secrets[role]);
    expect(Object.values(variables).flatMap((value) => /^postgres:\/\/(\w+):/.exec(value)?.[1] ?? [])).toEqual([user]);
  }
  const files = Object.entries(unitVariables(role)).flatMap(
    ([, value]) => value.match(/(?<=%d\/|\/run\/credentials\/[\w.-]+\/)[\w.-]+/g) ?? [],
  );
  const loaded = read(`operations/systemd/operator-integration-${role}.service`).match(/(?<=^LoadCredential=)[\w.-]+/gm);
  expect(loaded?.toSorted()).toEqual(files.toSorted());
  const mounted = Object.values(service?.environment ?? {}).flatMap((value) => value.match(/(?<=^\/run\/secrets\/)[\w.-]+/) ?? []);
  expect((service?.secrets ?? []).toSorted()).toEqual(mounted.toSorted());
});

test('units and containers start the one program, with commands that it has', async () => {
  const texts = [
    ...units.map((unit) => `systemd/${unit}`),
    'container/compose.yml',
    'container/Containerfile',
    'container/rehearse.sh',
  ].map((file) => read(`operations/${file}`));
  expect(texts.flatMap((text) => text.match(/\bdist\/[\w/.-]+/g) ?? []).filter((path) => path !== 'dist/oi')).toEqual([]);
  const started = units.map(
    (unit) => /^ExecStart=\/opt\/operator-integration-service\/dist\/oi (.+)$/m.exec(read(`operations/systemd/${unit}`))?.[1],
  );
  const contained = Object.values(compose.services)
    .filter(({ image }) => image === 'operator-integration-service')
    .map(({ entrypoint = [], command = [] }) => [...entrypoint.slice(1), ...command].join(' '));
  expect([...new Set([...started, ...contained])].toSorted()).toEqual([
    'admin --help',
    'migrate',
    'start',
    'start machine-api',
    'start portal',
    'start workers',
  ]);
  const said = await Promise.all(started.map((command = '') => run('dist/oi', [...command.split(' '), '--version'])));
  expect(new Set(said.map(({ stdout }) => stdout)).size).toBe(1);
  expect(said[0]?.stdout).toMatch(/^operator-integration-service \d+\.\d+\.\d+ \(commit /);
});

test('the database and what opens it are on a network without a way out', () => {
  const networks = Object.entries(compose.services).map(([name, service]) => [name, Object.keys(service.networks ?? {})] as const);
  expect(networks.filter(([, names]) => names.includes('outside')).map(([name]) => name)).toEqual(['workers1', 'workers2', 'haproxy']);
  expect(networks.filter(([, names]) => !names.includes('inside'))).toEqual([]);
  expect(compose.networks['inside']).toMatchObject({ internal: true });
});

test('balancer, containers and Prometheus mean the same addresses', () => {
  const addressesIn = (file: string, pattern: RegExp) => [...new Set(read(`operations/${file}`).match(pattern))].toSorted();
  const containers = (which: string) => addressesIn('container/compose.yml', new RegExp(`(?<=${which}\\d.*ipv4_address: )[\\d.]+`, 'g'));
  expect(containers('portal')).toEqual(['10.0.0.11', '10.0.0.12']);
  expect(addressesIn('haproxy/haproxy.cfg', /(?<=server portal\d )[\d.]+/g)).toEqual(containers('portal'));
  expect(addressesIn('haproxy/haproxy.cfg', /(?<=server machine\d )[\d.]+/g)).toEqual(containers('machine'));
  expect(addressesIn('prometheus/prometheus.yml', /10[\d.]+(?=:9464)/g)).toEqual(['portal', 'machine', 'workers'].flatMap(containers));
});

const balancer = read('operations/haproxy/haproxy.cfg');
/** The sections of the balancer's configuration by their first lines. */
const sections = new Map(balancer.split(/^(?=\w)/m).map((section) => [section.split('\n')[0] ?? '', section]));

test('the balancer tries another process when one refuses, and answers as the service does when there is none', () => {
  expect(sections.get('defaults')).toMatch(/^ {4}retries [1-9]$[^]*^ {4}option redispatch 1$/m);
  for (const name of ['backend portal', 'backend portal_unchecked']) {
    const [, seconds, body = ''] =
      /^ {4}http-error status 503 content-type application\/problem\+json hdr Retry-After (\d+) string '(.*)'$/m.exec(
        sections.get(name) ?? '',
      ) ?? [];
    const { status, title, code } = { ...errorCatalogue.temporarily_unavailable, code: 'temporarily_unavailable' };
    expect(Number(seconds)).toBe(retryAfterSeconds);
    expect(JSON.parse(body)).toEqual({
      type: `/problems/${code}`,
      title,
      status,
      detail: 'No portal answers.',
      code,
      retry_after_seconds: retryAfterSeconds,
    });
  }
});

test('no source takes all that the balancer has, and an IPv6 network is one source', () => {
  const frontends = [...sections].filter(([name]) => name.startsWith('frontend '));
  expect(frontends.map(([name]) => name)).toEqual(['frontend portal_in_plain_text', 'frontend portal', 'frontend machine_api']);
  for (const [, section] of frontends) {
    const [all, one] = [/^ {4}maxconn (\d+)$/m, /^ {4}tcp-request connection reject if \{ sc0_conn_cur gt (\d+) \}/m].map((pattern) =>
      Number(pattern.exec(section)?.[1]),
    );
    expect(section).toContain('tcp-request connection track-sc0 src,ipmask(32,64)');
    expect(one).toBeLessThanOrEqual((all ?? 0) / 4);
  }
});
