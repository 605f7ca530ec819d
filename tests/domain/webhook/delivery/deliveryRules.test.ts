import { expect, test } from '@jest/globals';
import { attemptDurationBounds, durationPlace } from '../../../../server/domain/webhook/delivery/attemptChart.ts';
import { type DueDelivery, judgeDelivery } from '../../../../server/domain/webhook/delivery/dueDelivery.ts';
import { responseText } from '../../../../server/domain/webhook/delivery/responseText.ts';

test('the text of an answer is kept up to 2 KiB, as text that can be stored', () => {
  expect(responseText(undefined)).toBeNull();
  expect(responseText(Buffer.alloc(0))).toBeNull();
  expect(responseText(Buffer.from('thank you, “receiver”'))).toBe('thank you, “receiver”');
  expect(responseText(Buffer.alloc(5_000, 'a'))).toBe('a'.repeat(2_048));
  // A character of three bytes at the cut, and bytes that grow as they become replacement characters.
  for (const body of [Buffer.from(`a${'€'.repeat(1_000)}`), Buffer.alloc(2_048, 0xff), Buffer.alloc(9_000, 0)]) {
    const text = responseText(body) ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048);
    expect(Buffer.byteLength(text)).toBeGreaterThan(2_040);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('\0');
  }
  expect(responseText(Buffer.from('a\0b'))).toBe('a\uFFFDb');
});

test('each attempt has one place in the chart of durations', () => {
  expect(durationPlace(0)).toBe(0);
  for (const [place, bound] of attemptDurationBounds.entries()) {
    expect(durationPlace(bound)).toBe(place);
    expect(durationPlace(bound + 0.001)).toBe(place + 1);
  }
});

const waiting: DueDelivery = {
  number: 1,
  endpointNumber: 1,
  test: false,
  state: 'pending',
  heldFor: null,
  attempts: 0,
  windowEndsAt: 1_000,
  discard: null,
  hold: null,
  endpoint: {
    id: 'whk_1',
    operatorId: 'opr_1',
    url: 'https://a.test',
    payloadMode: 'notification',
    environment: 'sandbox',
    failuresInRow: 0,
    failingSince: null,
    lastSuccessAt: null,
  },
  event: { id: 'evt_1', type: 'integration.suspended', occurredAt: new Date(0) },
  snapshot: undefined,
  revision: null,
};

test('before its window is over, a delivery is discarded, held or attempted, in this order', () => {
  expect(judgeDelivery({ ...waiting, discard: 'access_revoked', hold: 'gate_closed' }, 999)).toEqual({
    does: 'discard',
    reason: 'access_revoked',
  });
  expect(judgeDelivery({ ...waiting, hold: 'gate_closed' }, 999)).toEqual({ does: 'hold', reason: 'gate_closed' });
  expect(judgeDelivery(waiting, 999)).toEqual({ does: 'attempt' });
});

test('when its window is over, what waited for the owner is a dead letter, and what waited for us is discarded', () => {
  const held = { ...waiting, state: 'held' } as const;
  const outcomes = [
    [waiting, 'end', 'window_over'],
    [{ ...waiting, hold: 'endpoint_not_active' }, 'end', 'endpoint_not_active'],
    [{ ...waiting, hold: 'integration_suspended' }, 'discard', 'window_over_while_held'],
    [{ ...held, heldFor: 'endpoint_not_active' }, 'end', 'endpoint_not_active'],
    [{ ...held, heldFor: 'integration_suspended' }, 'discard', 'window_over_while_held'],
    // What it was held for counts, also if something else holds it at the end.
    [{ ...held, heldFor: 'gate_closed', hold: 'endpoint_not_active' }, 'discard', 'window_over_while_held'],
    [{ ...held, heldFor: 'endpoint_not_active', discard: 'endpoint_gone' }, 'discard', 'endpoint_gone'],
  ] as const;
  const ofALaterRelease = { ...held, heldFor: 'of_a_later_release' as never };
  expect(judgeDelivery(ofALaterRelease, 1_000)).toEqual({ does: 'discard', reason: 'window_over_while_held' });
  for (const [delivery, does, reason] of outcomes) expect(judgeDelivery(delivery, 1_000)).toEqual({ does, reason });
});
