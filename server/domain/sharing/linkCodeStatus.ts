import { isSet, markedLifecycle, namesOf, passed, reached } from '../shared/lifecycle.ts';
import { limits } from '../shared/limits.ts';
import type { TransitionTable } from '../shared/stateMachine.ts';
import { linkCodeFacts } from './linkCodeFacts.ts';

export type LinkCodeState = keyof typeof linkCodeFacts;
export const linkCodeStates = namesOf(linkCodeFacts);

/** Neither redeemed nor cancelled, whether or not it can still be redeemed. */
const unspentStates = ['generated', 'unusable', 'expired'] as const satisfies readonly LinkCodeState[];

/** Every change of a link code. Only time makes it expire. */
const linkCodeTransitions = {
  issueLinkCode: { from: [], to: 'generated', by: ['owner', 'tooling'], sets: ['createdAt', 'expiresAt'] },
  /** The fifth attempt makes it unusable. Attempts on a used code are counted as well, but change nothing else. */
  countFailedAttempt: {
    from: ['generated', 'redeemed'],
    to: ['generated', 'unusable', 'redeemed'],
    by: ['client'],
    sets: ['failedAttempts'],
  },
  redeemLinkCode: { from: ['generated'], to: 'redeemed', by: ['client'], sets: ['redeemedAt', 'connectionId'] },
  /** Also when its user is erased or its integration retired, but then only before it expires. */
  cancelLinkCode: { from: unspentStates, to: 'cancelled', by: ['tooling', 'owner', 'administrator'], sets: ['cancelledAt'] },
} as const satisfies TransitionTable<LinkCodeState>;

export const linkCodeLifecycle = markedLifecycle(
  'link_code',
  linkCodeFacts,
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

/** SQL: whether a code can still be cancelled before it expires. Codes with too many failed attempts are included. */
export function isLive(row: string, now: string): string {
  return `${linkCodeLifecycle.mayStart('cancelLinkCode', { row })} and ${row}.expires_at > ${now}::timestamptz`;
}
