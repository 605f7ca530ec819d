import { expect, test } from '@jest/globals';
import { seededRandom } from '../../../server/domain/synthetic-data/seededRandom.ts';
import type { OrderData } from '../../../server/domain/tracking/allowlist.ts';
import { diff } from '../../../server/domain/tracking/diff.ts';
import { project, type Projection } from '../../../server/domain/tracking/project.ts';
import { applyChanges } from './applyChanges.ts';

const order: OrderData = { status: 'placed', model: 'Kestrel', market: 'DE' };

test('a field outside the allowlist is left behind at any depth', () => {
  const attack = {
    ...order,
    vin: 'SECRET',
    order_number: 'SECRET',
    toJSON: () => 'SECRET',
    production: { started_on: '2026-01-02', line: 'SECRET' },
    shipping: {
      vessel: 'Opal Sound',
      gps: 'SECRET',
      events: [{ kind: 'departed', port: 'CNSHA', at: '2026-01-02T03:04:05.678Z', estimated: false, driver: 'SECRET' }],
    },
  };
  const { core, shipping } = project('order', attack as OrderData);
  expect(core + shipping).not.toContain('SECRET');
  expect(core).toBe('{"status":"placed","model":"Kestrel","market":"DE","production":{"started_on":"2026-01-02"}}');
  expect(shipping).toBe(
    '{"vessel":"Opal Sound","events":[{"kind":"departed","port":"CNSHA","at":"2026-01-02T03:04:05.678Z","estimated":false}]}',
  );
});

test('a VIN or an e-mail address in an allowed text field is refused and not repeated', () => {
  for (const model of ['5YJ3E1EA7KF317000', 'anna@example.com', 'x'.repeat(81)]) {
    expect(() => project('order', { ...order, model })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => project('order', { ...order, model })).not.toThrow(model);
  }
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
