import type { StatusTone as ToneOfStatus } from '../../../../server/domain/shared/text/statusWord.ts';

/** The colour and icon of a badge: what a status means, or that it names a role. */
export type StatusTone = ToneOfStatus | 'role';
