import { expect, test } from '@jest/globals';
import { fullOrder } from '../../../bench/hostile/fullOrder.ts';
import { readBit, shippingBit } from '../../../server/domain/feed/visibleSql.ts';
import { scopeBits } from '../../../server/domain/shared/scopes.ts';
import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import { seededRandom } from '../../../server/domain/sandbox/generator/seededRandom.ts';
import { allowlist, orderStatuses, vehicleStatuses, type OrderData, type VehicleData } from '../../../server/domain/tracking/allowlist.ts';
import { diff } from '../../../server/domain/tracking/diff.ts';
import { historyItems } from '../../../server/domain/tracking/historyItems.ts';
import { project, type Projection } from '../../../server/domain/tracking/project.ts';
import { applyChanges } from './applyChanges.ts';

function refusalOf(act: () => unknown): DomainError {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

const order: OrderData = { status: 'placed', model: 'Kestrel', market: 'DE' };

test('a field outside the allowlist is refused by its path at any depth, and its value is not repeated', () => {
  const attack = {
    ...order,
    vin: 'SECRET',
    toJSON: () => 'SECRET',
    production: { started_on: '2026-01-02', line: 'SECRET' },
    shipping: {
      vessel: 'Opal Sound',
      gps: 'SECRET',
      events: [{ kind: 'departed', port: 'CNSHA', at: '2026-01-02T03:04:05.678Z', estimated: false, driver: 'SECRET' }],
    },
  };
  const refusal = refusalOf(() => project('order', attack as OrderData));
  expect(refusal.fields.map(({ path }) => path).sort()).toEqual([
    'production.line',
    'shipping.events[0].driver',
    'shipping.gps',
    'toJSON',
    'vin',
  ]);
  expect(JSON.stringify(refusal) + refusal.message).not.toContain('SECRET');
});

test('the refusal of a resource says what is wrong with each field, and with data that has none', () => {
  const refusal = refusalOf(() => project('order', { ...order, model: 'a@b', vin: 'x', shipping: { vessel: 'a@b' } } as OrderData));
  expect(refusal.message).toBe('model: must be plain words. shipping.vessel: must be plain words. vin: is not an accepted field.');
  const data = refusalOf(() => project('vehicle', 'x' as unknown as VehicleData));
  expect([data.fields.map(({ path }) => path), data.message]).toEqual([[''], expect.stringMatching(/^data: /)]);
});

test('a field whose name is itself a number, an address or a trap is refused without being named', () => {
  for (const name of ['WVWZZZ1KZAW386752', 'anna@example.com', '49.4521', 'order 123456789', 'x'.repeat(41)]) {
    const refusal = refusalOf(() => project('order', { ...order, [name]: true }));
    expect(refusal.fields.map(({ path }) => path)).toEqual(['(unnamed)']);
    expect(refusal.message).not.toContain(name);
  }
  const trap = JSON.parse('{"status":"placed","model":"Kestrel","market":"DE","__proto__":{"vin":"x"}}') as OrderData;
  expect(refusalOf(() => project('order', trap)).fields).toEqual([{ path: '__proto__', message: 'is not an accepted field' }]);
});

test.each([
  ['a VIN', '5YJ3E1EA7KF317000'],
  ['a VIN in groups', '5YJ3E1 EA7 KF317'],
  ['a VIN after words', 'Kestrel WVWZZZ1KZAW386752'],
  ['a VIN in groups with few digits', 'LRWY GCEK XRC1 2345 6'],
  ['a VIN with hyphens', 'LRW-YGC-EKX-RC1-234-56'],
  ['a VIN in groups after words', 'Kestrel lrwy.gcek.xrc1.2345.6'],
  ['an order number', 'RN117463529'],
  ['an order number in groups', 'RN 117 463 529'],
  ['an order number in other digits', 'RN١١٧٤٦٣٥٢٩'],
  ['an email address', 'anna@example.com'],
  ['a telephone number', '+49 170 555 0199'],
  ['an address with a postcode', 'Lindenallee 4 12345 Musterstadt'],
  ['an address in lines', 'Lindenallee 4, Musterstadt'],
  ['a position', '49.4521 11.0767'],
  ['a link', 'https://example.com'],
  ['a control character', 'Kestrel\u0007'],
  ['eighty-one characters', 'x'.repeat(81)],
])('%s in a field of words is refused and not repeated', (_, value) => {
  for (const data of [
    { ...order, model: value },
    { ...order, trim: value },
    { ...order, shipping: { vessel: value } },
  ]) {
    const refusal = refusalOf(() => project('order', data));
    expect(new Set(refusal.fields.map(({ path }) => path)).size).toBe(1);
    expect(JSON.stringify(refusal) + refusal.message).not.toContain(value);
  }
});

test.each([
  ['an order number as option code', { option_codes: ['RN11746352'] }],
  ['an option code behind something else', { option_codes: ['a MKE'] }],
  ['an option code before something else', { option_codes: ['MKE a'] }],
  ['an option code of 11 characters', { option_codes: ['MKE-MKE-MKE'] }],
  ['65 option codes', { option_codes: Array.from({ length: 65 }, () => 'MKE') }],
  [
    '25 shipping events',
    {
      shipping: {
        events: Array.from({ length: 25 }, () => ({ kind: 'loaded', port: 'CNSHA', at: '2026-01-02T03:04:05.678Z', estimated: false })),
      },
    },
  ],
  ['a year that no vehicle has', { model_year: 1999 }],
  [
    'a time without milliseconds',
    { shipping: { events: [{ kind: 'loaded', port: 'CNSHA', at: '2026-01-02T03:04:05Z', estimated: false }] } },
  ],
  ['a port that is none', { shipping: { origin_port: 'DEBR0' } }],
  ['an order number as voyage', { shipping: { voyage: 'RN11746352' } }],
  ['a VIN as voyage', { shipping: { voyage: '5YJ3E1EA7KF317' } }],
  ['a birthday as date', { ordered_on: '1985-04-12' }],
  ['a birthday as time', { shipping: { events: [{ kind: 'loaded', port: 'CNSHA', at: '1985-04-12T00:00:00.000Z', estimated: false }] } }],
  ['a day that is none', { ordered_on: '2026-02-30' }],
  ['a VIN as two option codes', { option_codes: ['MKE', '5YJ3E1EA7', 'KF003176'] }],
  ['a VIN as three option codes', { option_codes: ['5YJ3E1', 'EA7KF-', '-00316', 'MKE'] }],
  ['a week that 2025 has not', { production: { scheduled_week: '2025-W53' } }],
  ['a week 0', { production: { scheduled_week: '2026-W00' } }],
  ['a market that is no country', { market: 'ZZ' }],
  ['an estimate that ends before it begins', { delivery_estimate: { from: '2026-07-02', to: '2026-07-01' } }],
  ['an object as text', { model: { name: 'Kestrel' } }],
])('%s is refused', (_, fields) => {
  expect(refusalOf(() => project('order', { ...order, ...fields } as OrderData)).code).toBe('invalid_request');
});

test('an order and a stock vehicle have the statuses that the machine API documents and no others', () => {
  const lifeOfOrder = 'placed confirmed scheduled in_production built in_transit at_port at_delivery_centre delivered cancelled'.split(' ');
  expect([orderStatuses, vehicleStatuses]).toEqual([lifeOfOrder, ['available', 'reserved', 'sold', 'withdrawn']]);
});

test('names of models, colours and ships with few digits are taken', () => {
  for (const model of [
    'Kestrel 3 Performance 2026',
    '20 inch Vortex',
    'Black and Oak',
    "Crow's Nest",
    'Rear-Wheel Drive',
    'Überland 4x4',
    'Black Leather Seats 2025',
  ])
    expect(project('order', { ...order, model }).core).toContain(JSON.stringify(model));
});

test('lists of option codes are accepted, even long ones and ones of digits, and so is week 53 in a year that has one', () => {
  const codes = ['MT337', 'PPSW', 'W38B', 'IN3B', 'APBS', 'SC04', '0494', '0337', '02VB', '05DF', 'S0337', 'TW01', 'CPF0'];
  expect(project('order', { ...order, option_codes: codes }).core).toContain(JSON.stringify(codes));
  for (const week of ['2026-W53', '2020-W53', '2025-W52']) {
    expect(project('order', { ...order, production: { scheduled_week: week } }).core).toContain(week);
  }
});

test('the largest order that the rules allow, and its largest change, stay below 16,000 bytes', () => {
  const words = (letter: string) => [20, 20, 20, 17].map((length) => letter.repeat(length)).join(' ');
  const full = (letter: string, kind: 'transshipped' | 'discharged', estimated: boolean): OrderData => ({
    status: 'at_delivery_centre',
    model: words(letter),
    model_year: 2026,
    trim: words(letter),
    market: 'DE',
    exterior: words(letter),
    interior: words(letter),
    option_codes: Array.from({ length: 64 }, () => (estimated ? '$' : '-').repeat(10)),
    ordered_on: '2026-01-02',
    production: { scheduled_week: '2026-W07', started_on: '2026-01-02', completed_on: '2026-01-02' },
    delivery_estimate: { from: '2026-01-02', to: '2026-01-02' },
    shipping: {
      vessel: words(letter),
      voyage: (estimated ? 'X' : '-').repeat(10),
      origin_port: estimated ? 'CNSHA' : 'DEBRV',
      destination_port: estimated ? 'CNSHA' : 'DEBRV',
      events: Array.from({ length: 24 }, () => ({
        kind,
        port: estimated ? 'CNSHA' : 'DEBRV',
        at: estimated ? '2026-01-02T03:04:05.678Z' : '2026-01-03T03:04:05.678Z',
        estimated,
      })),
    },
  });
  const one = project('order', full('\u{20000}', 'transshipped', true));
  const other = project('order', full('\u{20001}', 'discharged', false));
  expect(Buffer.byteLength(one.core + one.shipping)).toBeLessThan(16_000);
  const items = historyItems({ before: one, after: other, lastSequence: 0 }, { recordedAt: new Date(1), path: 'data' });
  for (const { changes } of items) expect(Buffer.byteLength(changes)).toBeLessThan(16_000);
});

test('equal orders give equal text whatever the sequence of their fields, without empty ones', () => {
  const text = project('order', {
    market: 'DE',
    option_codes: [],
    production: {},
    trim: null,
    model: 'Kestrel',
    status: 'placed',
    shipping: { events: [] },
  });
  expect(text).toEqual(project('order', order));
  expect(text.shipping).toBeNull();
});

test('changes name indexed paths in the section that they belong to', () => {
  const before = project('order', { ...order, option_codes: ['A1'] });
  const after = project('order', {
    ...order,
    status: 'built',
    option_codes: ['B2'],
    production: { started_on: '2026-01-02' },
    shipping: { vessel: 'Opal Sound' },
  });
  expect(diff(before, after)).toEqual({
    core: [
      { path: 'status', from: 'placed', to: 'built' },
      { path: 'option_codes[0]', from: 'A1', to: 'B2' },
      { path: 'production.started_on', to: '2026-01-02' },
    ],
    shipping: [{ path: 'shipping.vessel', to: 'Opal Sound' }],
  });
  expect(diff(after, after)).toEqual({ core: [], shipping: [] });
});

test('the changes between any two orders rebuild the second from the first', () => {
  const random = seededRandom('pairs of orders');
  const any = (): Projection => {
    const maybe = <Value>(value: Value) => (random.chance(0.5) ? value : null);
    const date = () => `2026-0${random.between(1, 9)}-11`;
    const event = () => ({
      kind: random.pick(['loaded', 'arrived'] as const),
      port: random.pick(['CNSHA', 'DEBRV']),
      at: `${date()}T10:00:00.000Z`,
      estimated: random.chance(0.5),
    });
    return project('order', {
      status: random.pick(['placed', 'built'] as const),
      model: random.pick(['Kestrel', 'Tarn']),
      market: 'DE',
      model_year: maybe(random.between(2024, 2026)),
      option_codes: random.shuffled(['A1', 'B2', 'C3', 'D4']).slice(0, random.between(0, 4)),
      production: maybe({ started_on: maybe(date()), completed_on: maybe(date()) }),
      shipping: maybe({ vessel: maybe('Opal Sound'), events: Array.from({ length: random.between(0, 4) }, event) }),
    });
  };
  const state = ({ core, shipping }: Projection) => ({ ...JSON.parse(core), ...(shipping ? { shipping: JSON.parse(shipping) } : {}) });
  for (let round = 0; round < 500; round += 1) {
    const [before, after] = [any(), any()];
    const { core, shipping } = diff(before, after);
    expect(applyChanges(state(before), [...core, ...shipping])).toEqual(state(after));
  }
});

test('each field names the scope that the feed requires for its section', () => {
  const required = (type: string, section: string) =>
    section === 'shipping' ? shippingBit : Number((type === 'order' ? /then (\d+)/ : /else (\d+)/).exec(readBit(`'${type}'`))?.[1]);
  for (const [type, fields] of Object.entries(allowlist)) {
    for (const [name, { section, scope }] of Object.entries(fields)) {
      expect([type, name, scopeBits(scope)]).toEqual([type, name, required(type, section)]);
    }
  }
});

test('the orders with which the bench measures the longest batch are stored, not refused', () => {
  for (const round of [0, 1, 25]) expect(project('order', fullOrder(round)).shipping).toContain('"events":[');
});
