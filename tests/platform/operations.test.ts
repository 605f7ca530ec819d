import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { registry } from '../../server/platform/metrics.ts';
import '../../server/platform/poolMetrics.ts';

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
  ['the page for people who operate the service', () => [read('docs/operating.md')]],
])('%s: every metric that is named there is one that the processes have', (_what, expressions) => {
  const names = expressions().flatMap(namesIn);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !series.has(name))).toEqual([]);
});

test('every metric of the service is on the page for people who operate it', () => {
  const page = read('docs/operating.md');
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
