import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { quotas } from '../../../server/domain/client/quotas.ts';
import { limits } from '../../../server/domain/shared/limits.ts';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { allowlist } from '../../../server/domain/tracking/allowlist.ts';
import { readInteger, readQuery } from '../../../rest-api/request/queryParameters.ts';
import { readIdempotencyKey } from '../../../rest-api/request/readIdempotencyKey.ts';
import { complaintsOfSchema, openApi, schemaNamed } from '../../support/clients/contract.ts';

// Clients are generated from these schemas. A generator takes them literally, so they state every bound that the service keeps to.

type Schema = Readonly<Record<string, unknown>>;
const schemas = [...schemasIn(openApi, '')];
const ofType = (type: string) => schemas.filter(({ schema }) => schema['type'] === type);
const typed = (schema: Schema) => typeof schema['type'] === 'string' || '$ref' in schema || 'oneOf' in schema;
const told = (found: { where: string }[]) => found.map(({ where }) => where);

describe('in the description', () => {
  test('each schema has one type, so that no generator has to guess; only a changed value is whatever its field is', () => {
    const untyped = schemas.filter(({ schema }) => !typed(schema));
    expect(told(untyped)).toEqual(['from', 'to'].map((name) => `.components.schemas.Change.properties.${name}`));
    expect(told(schemas.filter(({ schema }) => 'const' in schema))).toEqual([]);
  });

  test('each integer has a format that holds its bounds', () => {
    const widest = { int32: 2 ** 31 - 1, int64: Number.MAX_SAFE_INTEGER } as const;
    const fits = ({ format, minimum, maximum }: Schema) => {
      const most = widest[format as keyof typeof widest];
      return typeof minimum === 'number' && typeof maximum === 'number' && minimum >= 0 && minimum <= maximum && maximum <= most;
    };
    expect(ofType('integer').length).toBeGreaterThan(20);
    expect(told(ofType('integer').filter(({ schema }) => !fits(schema)))).toEqual([]);
    expect(told(ofType('number').filter(({ schema }) => schema['format'] !== 'double'))).toEqual([]);
  });

  test('each string is bounded: by its values, a length, a format, or a pattern that ends', () => {
    const ends = (pattern: unknown) => typeof pattern === 'string' && !/[+*]|,\}/.test(pattern.replaceAll(/\[[^\]]*\]|\\./g, '.'));
    const bounded = ({ enum: values, maxLength, format, pattern }: Schema) =>
      Array.isArray(values) || typeof maxLength === 'number' || format === 'date' || format === 'date-time' || ends(pattern);
    expect(ofType('string').length).toBeGreaterThan(40);
    expect(told(ofType('string').filter(({ schema }) => !bounded(schema)))).toEqual([]);
  });

  test('each list has a longest form', () => {
    expect(told(ofType('array').filter(({ schema }) => typeof schema['maxItems'] !== 'number'))).toEqual([]);
  });
});

/** The names that the service accepts, for a value given as text. */
function taken(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

const parameter = (operation: string, name: string): Schema => {
  const found = Object.values(openApi.paths)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operationId === operation)
    .flatMap(({ parameters = [] }) => parameters as { name?: string; schema?: Schema }[])
    .find((each) => each.name === name);
  if (!found?.schema) throw new Error(`${operation} has no parameter ${name}`);
  return found.schema;
};

const x = (count: number) => 'x'.repeat(count);
const quotedKeys = ['"abc"', '"a\\"b\\\\c"', `"${x(255)}"`, `"${'\\"'.repeat(255)}"`];
const bareKeys = ['a', 'a"b', '!#$%&~', x(255), 'delete-7f3c2a90'];
const badKeys = ['', ' ', 'a b', 'é', '"', '""', '"a', '"a"b', '"a b"', '"\\a"', x(256), `"${x(256)}"`, '"é"', 'a\tb'];

describe('what the service refuses, the description refuses, and nothing else', () => {
  test.each([...quotedKeys, ...bareKeys, ...badKeys].map((key) => ({ key })))('as an Idempotency-Key: $key', ({ key }) => {
    const accepted = taken(() => readIdempotencyKey([key]));
    expect(complaintsOfSchema(parameter('acknowledgeRevocation', 'Idempotency-Key'), key).length === 0).toBe(accepted);
    expect(accepted).toBe(!badKeys.includes(key));
  });

  test.each([
    ['getSync', 'limit', [1, 500], [0, 501, -1, 1.5]],
    ['getOrderHistory', 'limit', [1, 500], [0, 501]],
    ['getVehicleHistory', 'limit', [1, 500], [0, 501]],
    ['getOrderHistory', 'after', [0, 1, 2 ** 53 - 1], [-1, 2 ** 53, 0.5]],
    ['getVehicleHistory', 'after', [0, 2 ** 53 - 1], [-1, 2 ** 53]],
  ])('as %s’s %s', (operation, name, good, bad) => {
    const bounds = name === 'limit' ? { least: 1, most: limits.recordsPerResponse } : { least: 0, most: Number.MAX_SAFE_INTEGER };
    for (const value of [...good, ...bad]) {
      const accepted = taken(() => readInteger(readQuery(`${name}=${value}`, [name]), name, { ...bounds, fallback: 1 }));
      expect([value, complaintsOfSchema(parameter(operation, name), value).length === 0]).toEqual([value, accepted]);
      expect([value, accepted]).toEqual([value, good.includes(value)]);
    }
  });

  test('as a cursor: an empty one', () => {
    for (const bad of ['', 'a b', 'ä', 'a='])
      expect([bad, complaintsOfSchema(parameter('getSync', 'updated_since'), bad)]).not.toEqual([bad, []]);
  });

  test('as a value of a resource: each field of the allowlist, at its bounds and beyond them', () => {
    for (const [type, name] of [
      ['order', 'Order'],
      ['vehicle', 'Vehicle'],
    ] as const) {
      const { properties } = schemaNamed(`#/components/schemas/${name}`) as { properties: Record<string, Schema> };
      const fields = z.strictObject(Object.fromEntries(Object.entries(allowlist[type]).map(([field, row]) => [field, row.schema])));
      for (const [field, values] of Object.entries(samplesOf(type))) {
        for (const { value, good } of values) {
          expect([field, value, fields.partial().safeParse({ [field]: value }).success]).toEqual([field, value, good]);
          expect([field, value, complaintsOfSchema(properties[field] as Schema, value).length === 0]).toEqual([field, value, good]);
        }
      }
      expect(Object.keys(samplesOf(type)).sort()).toEqual(Object.keys(allowlist[type]).sort());
    }
  });

  test('as a quota: what an override may be, and the limits of a response', () => {
    const { properties } = schemaNamed('#/components/schemas/Quotas') as { properties: Record<string, Schema> };
    const described = Object.fromEntries(
      Object.entries(properties).map(([name, { minimum, maximum }]) => [name, { least: minimum, most: maximum }]),
    );
    expect(described).toEqual({
      ...Object.fromEntries(Object.entries(quotas).map(([name, { least, most }]) => [name, { least, most }])),
      records_per_response: { least: 1, most: limits.recordsPerResponse },
      response_bytes: { least: 1, most: limits.responseBytes },
      statistics_response_bytes: { least: 1, most: limits.statisticsResponseBytes },
    });
    const override = schemaNamed('#/components/schemas/QuotaOverride') as { properties: Record<string, Schema> };
    expect(override.properties['quota']?.['enum']).toEqual(Object.keys(quotas));
    expect(override.properties['value']?.['maximum']).toBe(Math.max(...Object.values(quotas).map(({ most }) => most)));
  });

  test('as a change of a history item: its paths and how many there can be at once', () => {
    const { properties } = schemaNamed('#/components/schemas/Change') as { properties: Record<string, Schema> };
    const paths = [...pathsOf('order', 'core'), ...pathsOf('order', 'shipping'), ...pathsOf('vehicle', 'core')];
    for (const path of paths) expect([path, complaintsOfSchema(properties['path'] as Schema, path)]).toEqual([path, []]);
    const { maxItems } =
      (schemaNamed('#/components/schemas/HistoryItem') as { properties: Record<string, Schema> }).properties['changes'] ?? {};
    expect(maxItems).toBe(Math.max(pathsOf('order', 'core').length, pathsOf('order', 'shipping').length));
  });

  test('as the lists of a page and of a redemption: no more than a limit allows', () => {
    const longest = (schema: string, list: string) =>
      (schemaNamed(`#/components/schemas/${schema}`) as { properties: Record<string, Schema> }).properties[list]?.['maxItems'];
    expect(longest('RedeemedLinkCode', 'resources')).toBe(limits.resourcesPerShare);
    for (const list of ['upserts', 'tombstones']) expect([list, longest('SyncPage', list)]).toEqual([list, limits.recordsPerResponse]);
    for (const history of ['OrderHistory', 'VehicleHistory'])
      expect([history, longest(history, 'items')]).toEqual([history, limits.recordsPerResponse]);
  });

  test('as scopes: there are as many as a list may hold', () => {
    expect((schemaNamed('#/components/schemas/Scope') as Schema)['enum']).toEqual(allScopes);
    const { scopes } = (schemaNamed('#/components/schemas/Order') as { properties: Record<string, Schema> }).properties;
    expect(scopes?.['maxItems']).toBe(allScopes.length);
  });
});

/** As long as a name may be, without spelling out anything that must not leave. */
const name80 = 'Lengthy '.repeat(10);

type Sample = { readonly value: unknown; readonly good: boolean };
const samples = (good: readonly unknown[], bad: readonly unknown[]): Sample[] => [
  ...good.map((value) => ({ value, good: true })),
  ...bad.map((value) => ({ value, good: false })),
];

/**
 * What JSON Schema can say about each field. What it cannot (numbers in words, codes that spell something) is checked only when data is
 * handed in.
 */
function samplesOf(type: 'order' | 'vehicle'): Record<string, Sample[]> {
  const words = samples([name80, 'M'], ['', `${name80}L`, 7]);
  const day = samples(['2026-02-17'], ['2026-02-30', '17.02.2026']);
  const shared = {
    model: words,
    model_year: samples([2000, 2100], [1999, 2101, 2026.5]),
    trim: words,
    market: samples(['DE'], ['de', 'DEU', '']),
    exterior: words,
    interior: words,
    option_codes: samples(
      [[], ['MT1'], Array.from({ length: 64 }, () => 'A$-1')],
      [[''], ['lower'], [x(11)], Array.from({ length: 65 }, () => 'A')],
    ),
  };
  if (type === 'vehicle') return { ...shared, status: samples(['available'], ['placed']), listed_on: day };
  const event = { kind: 'departed', port: 'CNSHA', at: '2026-10-02T14:00:00.000Z', estimated: false };
  const events = (length: number) => Array.from({ length }, () => event);
  return {
    ...shared,
    status: samples(['placed'], ['available']),
    ordered_on: day,
    production: samples([{}, { scheduled_week: '2026-W07' }], [{ scheduled_week: '2026-7' }, { started_on: 'soon' }]),
    delivery_estimate: samples([{}, { from: '2026-12-01' }], [{ from: '2026-12' }]),
    shipping: samples(
      [{}, { voyage: 'A-1', vessel: name80, origin_port: 'DEBRV', events: events(24) }],
      [{ voyage: 'a' }, { voyage: 'A'.repeat(11) }, { vessel: '' }, { origin_port: 'DE' }, { events: events(25) }],
    ),
  };
}

/** Every path that a change of this section can have. */
function pathsOf(type: 'order' | 'vehicle', section: string): string[] {
  return Object.entries(allowlist[type])
    .filter(([, row]) => row.section === section)
    .flatMap(([field, row]) => leavesOf(z.toJSONSchema(row.schema, { unrepresentable: 'any' }) as Schema, field));
}

function leavesOf(schema: Schema, path: string): string[] {
  const { anyOf, properties, items, maxItems } = schema as {
    anyOf?: Schema[];
    properties?: Record<string, Schema>;
    items?: Schema;
    maxItems?: number;
  };
  if (anyOf) return leavesOf(anyOf.find((each) => each['type'] !== 'null') ?? {}, path);
  if (properties) return Object.entries(properties).flatMap(([name, part]) => leavesOf(part, `${path}.${name}`));
  if (items) return Array.from({ length: maxItems ?? 0 }, (_, index) => leavesOf(items, `${path}[${index}]`)).flat();
  return [path];
}

/** Every schema in the description, nested ones included, with its location. */
function* schemasIn(node: unknown, where: string): Generator<{ where: string; schema: Schema }> {
  if (node === null || typeof node !== 'object') return;
  for (const [key, part] of Object.entries(node)) {
    const place = `${where}.${key}`;
    if (key === 'example' || key === 'examples') continue;
    if (key === 'schema' || key === 'items') yield { where: place, schema: part as Schema };
    if (key === 'properties' || key === 'schemas')
      for (const [name, schema] of Object.entries(part as Record<string, Schema>)) yield { where: `${place}.${name}`, schema };
    if (key === 'oneOf') for (const [index, schema] of (part as Schema[]).entries()) yield { where: `${place}.${index}`, schema };
    yield* schemasIn(part, place);
  }
}
