import type { StatusTone } from '../../ui/values/statusTone.ts';

type StatusWord = { tone: StatusTone; word: string };

/** How each integration status is shown; the words are those of docs/specification.md, “Integration status”. How well an active one works is its health. */
export const integrationStatusWords = {
  sandbox: { tone: 'neutral', word: 'Draft / sandbox' },
  submitted: { tone: 'waiting', word: 'Submitted' },
  rejected: { tone: 'bad', word: 'Rejected' },
  approved: { tone: 'good', word: 'Approved' },
  active: { tone: 'on', word: 'Active' },
  suspended: { tone: 'bad', word: 'Suspended' },
  retired: { tone: 'stopped', word: 'Retired' },
} as const satisfies Record<string, StatusWord>;

/** How the state of the sandbox corpus is shown. */
export const corpusStateWords = {
  queued: { tone: 'waiting', word: 'Queued' },
  building: { tone: 'working', word: 'Building' },
  ready: { tone: 'good', word: 'Ready' },
  failed: { tone: 'bad', word: 'Failed' },
} as const satisfies Record<string, StatusWord>;

/** How each certificate status is shown. */
export const certificateStatusWords = {
  pending: { tone: 'working', word: 'Pending' },
  issued: { tone: 'good', word: 'Issued' },
  expired: { tone: 'stopped', word: 'Expired' },
  revoked: { tone: 'stopped', word: 'Revoked' },
  failed: { tone: 'bad', word: 'Failed' },
} as const satisfies Record<string, StatusWord>;
