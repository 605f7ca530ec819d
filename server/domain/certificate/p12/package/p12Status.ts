import { type Known, namesOf, factsIn, statusLifecycle } from '../../../shared/lifecycle.ts';
import type { TransitionTable } from '../../../shared/stateMachine.ts';
import { p12Facts } from './p12Facts.ts';

export type P12Status = Known<keyof typeof p12Facts>;
export const p12Statuses = namesOf(p12Facts);

/** Every change of the package of a certificate whose key a worker makes (docs/specification.md, “P12 packages”). Only one that is ready has bytes. */
const p12Transitions = {
  requestP12: { from: [], to: 'making', by: ['owner'], sets: ['recipientKey', 'claimTokenHmac'] },
  makeP12: { from: ['making'], to: 'ready', by: ['service'], sets: ['sealed', 'readyAt', 'claimUntil'] },
  /** The last attempt has failed, so its certificate has failed too. */
  failP12: { from: ['making'], to: 'failed', by: ['service'], sets: ['endedAt'] },
  countWrongToken: { from: ['ready'], to: 'ready', by: ['owner'], sets: ['failedAttempts'] },
  claimP12: { from: ['ready'], to: 'claimed', by: ['owner'], sets: ['sealed', 'endedAt'] },
  /** Also by an owner who comes too late. */
  expireP12: { from: ['ready'], to: 'expired', by: ['service', 'owner'], sets: ['sealed', 'endedAt'] },
  /** The last wrong token. */
  blockP12: { from: ['ready'], to: 'blocked', by: ['owner'], sets: ['sealed', 'failedAttempts', 'endedAt'] },
  /** Its certificate is revoked, also because the integration is retired. */
  withdrawP12: { from: ['making', 'ready'], to: 'revoked', by: ['owner', 'administrator'], sets: ['sealed', 'endedAt'] },
} as const satisfies TransitionTable<P12Status>;

export const p12Lifecycle = statusLifecycle('p12_package', p12Facts, p12Transitions);

/**
 * The status to show at this moment: a package that nobody has claimed in time has expired, even if the clean-up has not run yet. One whose
 * certificate was still pending when that was read, a moment earlier, is still in the making.
 */
export function shownP12Status(
  { status, claimUntil }: { readonly status: P12Status; readonly claimUntil: Date | null },
  certificateStatus: string,
  now: Date,
): P12Status {
  if (factsIn(p12Facts, status).stage !== 'ready') return status;
  if (certificateStatus === 'pending') return 'making';
  return claimUntil !== null && claimUntil <= now ? 'expired' : status;
}
