import { isSet, markedLifecycle, passed, reached } from '../shared/lifecycle.ts';
import { limits } from '../shared/limits.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';

/** docs/specification.md, “Link codes”, and one that was taken back. */
export const linkCodeStates = ['generated', 'redeemed', 'expired', 'unusable', 'cancelled'] as const;
export type LinkCodeState = (typeof linkCodeStates)[number];

/** Neither redeemed nor cancelled, whether it can still be redeemed or not. */
const unspentStates = ['generated', 'unusable', 'expired'] as const satisfies readonly LinkCodeState[];

/** Every change of a link code. Time alone makes it expire. */
export const linkCodeTransitions = {
  issueLinkCode: { from: [], to: 'generated', by: ['owner', 'tooling'], sets: ['createdAt', 'expiresAt'] },
  /** The fifth makes it unusable. A used code counts as well, which changes nothing about it. */
  countFailedAttempt: {
    from: ['generated', 'redeemed'],
    to: ['generated', 'unusable', 'redeemed'],
    by: ['client'],
    sets: ['failedAttempts'],
  },
  redeemLinkCode: { from: ['generated'], to: 'redeemed', by: ['client'], sets: ['redeemedAt', 'connectionId'] },
  /** Also when its user is erased, or its integration retired: then only while its time runs. */
  cancelLinkCode: { from: unspentStates, to: 'cancelled', by: ['tooling', 'owner', 'administrator'], sets: ['cancelledAt'] },
} as const satisfies TransitionTable<LinkCodeState>;

export const linkCodeLifecycle = markedLifecycle(
  'link_code',
  {
    marks: [
      ['redeemed', isSet('redeemedAt')],
      ['cancelled', isSet('cancelledAt')],
      ['unusable', reached('failedAttempts', limits.failedAttemptsPerCode)],
      ['expired', passed('expiresAt')],
    ],
    otherwise: 'generated',
  },
  linkCodeTransitions,
);

/** SQL: whether a code could still be cancelled before its time is over. One with too many failed attempts is among them. */
export function isLive(row: string, now: string): string {
  return `${linkCodeLifecycle.mayStart('cancelLinkCode', { row })} and ${row}.expires_at > ${now}::timestamptz`;
}
