import type { StatusWord } from '../shared/text/statusWord.ts';

type CertificateFacts = StatusWord & {
  /** Whether its job still works on it, calls with it are accepted, or neither will be the case again. Until it is over, it can be revoked. */
  readonly stage: 'pending' | 'working' | 'over';
  /** Whether it was never made: its name can be given again, and what counts certificates by `counts` leaves it out. */
  readonly isVoid: boolean;
};

/** How many days an older certificate works at most beside the one that replaces it (docs/specification.md, “Rotation”). */
export const overlapDays = 14;

/** How long the owner of a new certificate has to install it, in milliseconds, before anything says that nobody calls with it. */
export const timeToInstall = 24 * 60 * 60 * 1000;

/** What each status of a certificate means. `expired` is shown only: an issued one is, once its usable time is over. */
export const certificateFacts = {
  pending: { tone: 'working', word: 'Pending', stage: 'pending', isVoid: false },
  issued: { tone: 'good', word: 'Issued', stage: 'working', isVoid: false },
  expired: { tone: 'stopped', word: 'Expired', stage: 'over', isVoid: false },
  revoked: { tone: 'stopped', word: 'Revoked', stage: 'over', isVoid: false },
  failed: { tone: 'bad', word: 'Failed', stage: 'over', isVoid: true },
  unknown: { tone: 'neutral', word: 'Unknown', stage: 'over', isVoid: false },
} as const satisfies Readonly<Record<string, CertificateFacts>>;
