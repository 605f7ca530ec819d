import { expect, test } from '@jest/globals';
import { linkCodeLifecycle } from '../../../server/domain/sharing/linkCodeStatus.ts';
import { revocationLifecycle } from '../../../server/domain/sharing/revocationStatus.ts';

test('a user’s codes and deletions are looked up by conditions as short as hand-written ones, so that partial indexes serve them', () => {
  expect(linkCodeLifecycle.isIn(['generated'], { row: 'c', now: '$2' })).toBe(
    'c.redeemed_at is null and c.cancelled_at is null and c.failed_attempts < 5 and c.expires_at > $2::timestamptz',
  );
  expect(linkCodeLifecycle.mayStart('cancelLinkCode')).toBe('redeemed_at is null and cancelled_at is null');
  expect(revocationLifecycle.isIn(['outstanding', 'overdue'])).toBe('acknowledged_at is null');
});

test('whether something of a user’s has expired is told by the injected clock, never by the database’s', () => {
  expect(() => linkCodeLifecycle.isIn(['expired'])).toThrow('needs the parameter with the present instant');
  expect(linkCodeLifecycle.isIn(['redeemed'])).toBe('redeemed_at is not null');
});
