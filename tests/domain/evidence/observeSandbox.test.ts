import { expect, test } from '@jest/globals';
import { type Observation, observeSandbox } from '../../../server/domain/evidence/observeSandbox.ts';

const minute = 60_000;
type ObservedRequest = Parameters<typeof observeSandbox>[1];

const plain: ObservedRequest = {
  method: 'GET',
  operation: 'getSync',
  status: 200,
  at: 0,
  answeredAt: 0,
  costClass: 'pull',
  conditional: false,
  retryAfterSeconds: null,
  page: null,
  certificateIssuedAt: null,
};

/** What each request of a story shows, without `capabilities_not_read` unless the test is about it. */
function shown(requests: readonly Partial<ObservedRequest>[]): string[][] {
  let before: Observation = {};
  return requests.map((changes) => {
    const at = changes.at ?? 0;
    const { kinds, after } = observeSandbox(before, { ...plain, answeredAt: at, ...changes });
    before = after;
    return kinds.filter((kind) => kind !== 'capabilities_not_read');
  });
}

test('capabilities count for the calls for data of the next 15 minutes, not for later ones and not when they were refused', () => {
  const [, fresh, last, late] = shown([
    { operation: 'getCapabilities' },
    { at: 1 },
    { at: 15 * minute, operation: 'getOrder' },
    { at: 15 * minute + 1 },
  ]);
  expect([fresh, last, late]).toEqual([['capabilities_read'], ['capabilities_read'], []]);
  expect(shown([{ operation: 'getCapabilities' }, { at: 0 }])[1]).toEqual(['capabilities_read']);
  expect(shown([{ operation: 'getCapabilities', status: 429 }, { at: 1 }])[1]).toEqual([]);
  expect(shown([{ operation: 'getCapabilities', method: 'HEAD' }, { at: 1 }])[1]).toEqual([]);
  expect(observeSandbox({}, plain).kinds).toEqual(['capabilities_not_read']);
  expect(observeSandbox({}, { ...plain, method: 'HEAD' }).kinds).toEqual([]);
  expect(observeSandbox({}, { ...plain, operation: 'acknowledgeRevocation' }).kinds).toEqual([]);
});

test('a call that is written after later ones neither counts nor takes their capabilities back', () => {
  const after = observeSandbox({}, { ...plain, operation: 'getCapabilities', at: 20 * minute }).after;
  expect(observeSandbox(after, { ...plain, at: 19 * minute }).kinds).toEqual([]);
  const late = observeSandbox(after, { ...plain, operation: 'getCapabilities', at: minute }).after;
  expect(observeSandbox(late, { ...plain, at: 21 * minute }).kinds).toEqual(['capabilities_read']);
});

test('a page that is written after a later one does not take the client back', () => {
  const last = observeSandbox({}, { ...plain, at: 2, page: { epoch: 0, from: 500, to: 551, hasMore: false } }).after;
  const late = observeSandbox(last, { ...plain, at: 1, page: { epoch: 0, from: 0, to: 500, hasMore: true } }).after;
  expect(late).toMatchObject({ pageEnd: 551, pageAt: 2 });
  const next = observeSandbox(late, { ...plain, at: 1, page: { epoch: 0, from: 551, to: 560, hasMore: false } });
  expect([next.kinds, next.after.pageEnd]).toEqual([expect.arrayContaining(['cursor_followed']), 560]);
  expect(observeSandbox(late, { ...plain, at: 3, page: { epoch: 0, from: 0, to: 500, hasMore: true } }).after.pageEnd).toBe(500);
});

test('a cursor is followed when the last page was asked for with the cursor of the page before it', () => {
  const page = (from: number, to: number, hasMore: boolean) => ({ page: { epoch: 0, from, to, hasMore } });
  expect(shown([page(0, 500, true), page(500, 1000, true), page(1000, 1051, false), page(1051, 1051, false)])).toEqual([
    [],
    [],
    ['cursor_followed'],
    ['cursor_followed'],
  ]);
  expect(shown([page(0, 1, true), page(1, 2, false)])[1]).toEqual(['cursor_followed']);
  // One page from the beginning needs no cursor; an older cursor is no continuation; a repeated page is none either.
  expect(shown([page(0, 40, false), page(0, 40, false), page(20, 40, false)])).toEqual([[], [], []]);
  expect(shown([page(0, 500, true), page(0, 500, true), page(500, 551, false)])[2]).toEqual(['cursor_followed']);
});

test('If-None-Match counts where the answer has an ETag, and 304 by itself', () => {
  expect(shown([{ conditional: true }, { conditional: true, status: 304 }, { conditional: true, status: 404 }])).toEqual([
    ['request_conditional'],
    ['request_conditional', 'answer_unchanged'],
    [],
  ]);
});

test('Retry-After is honoured by the first request after it, and disregarded by one that is refused again meanwhile', () => {
  const refused = (at: number, retryAfterSeconds = 30) => ({ at, status: 429, retryAfterSeconds });
  expect(shown([refused(0), { at: 30_000 }, { at: 31_000 }])).toEqual([[], ['pause_honoured'], []]);
  expect(shown([refused(0), refused(10_000, 20), { at: 30_000 }])).toEqual([[], ['pause_disregarded'], ['pause_honoured']]);
  // A loop without pauses is noticed however short its steps are.
  const loop = Array.from({ length: 12 }, (_, turn) => refused(turn * 100));
  expect(shown(loop).flat()).toEqual(Array.from({ length: 6 }, () => 'pause_disregarded'));
});

test('a loop that calls until it is let in has waited for nothing, however long it goes on', () => {
  const window = (begin: number) => [
    ...Array.from({ length: 59 }, (_, turn) => {
      const at = begin + turn * 1_000;
      return { at, status: 429, retryAfterSeconds: Math.ceil((begin + 59_000 - at) / 1_000) + 1 };
    }),
    { at: begin + 59_500 },
    { at: begin + 60_500 },
  ];
  const kinds = new Set(shown([...window(0), ...window(120_000), { at: 300_000 }]).flat());
  expect([...kinds]).toEqual(['pause_disregarded']);
});

test('a pause during which something was admitted was neither honoured nor disregarded; the next one counts again', () => {
  const refused = { status: 429, retryAfterSeconds: 30 };
  expect(shown([refused, { at: 10_000 }, { at: 31_000 }, { ...refused, at: 40_000 }, { at: 71_000 }]).flat()).toEqual(['pause_honoured']);
});

test('requests that were on their way, or of another class, or were admitted, disregard nothing', () => {
  const refused = { status: 429, retryAfterSeconds: 30 };
  expect(shown([refused, { ...refused, at: 5 }, { ...refused, at: 400 }, { at: 450 }, { at: 31_000 }]).flat()).toEqual(['pause_honoured']);
  expect(shown([refused, { at: 10_000 }]).flat()).toEqual([]);
  expect(shown([{ ...refused, retryAfterSeconds: 3_000, costClass: 'redeem' }, { ...refused, at: 10_000 }, { at: 41_000 }]).flat()).toEqual(
    ['pause_honoured'],
  );
});

test('a certificate is rotated once, when a newer one first comes into use', () => {
  const by = (certificateIssuedAt: number, status = 200) => ({ certificateIssuedAt, status });
  expect(shown([by(1), by(1), by(2, 401), by(2), by(1), by(2), by(3)])).toEqual([
    [],
    [],
    [],
    ['certificate_rotated'],
    [],
    [],
    ['certificate_rotated'],
  ]);
});
