import { integrationFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import { counted } from '../../../ui/text/counted.ts';
import type { Integration } from '../../../features/integration/integrationQuery.ts';

/** Where the integration is between sandbox and production, in a few words. */
const words: Record<Integration['status'], string> = {
  sandbox: 'Not submitted yet',
  submitted: 'In review',
  rejected: 'Changes needed',
  approved: 'Approved, not active yet',
  active: 'Approved, active',
  suspended: 'Suspended',
  retired: 'Retired',
  unknown: 'Unknown',
};

type Reviewed = Pick<Integration, 'status' | 'reviewWaitsFor'> & {
  readonly latestSteps: readonly Pick<Integration['latestSteps'][number], 'step'>[];
  readonly profile: Pick<Integration['profile'], 'version' | 'logo'>;
};

/** What the owner has written of the first submission. */
type Draft = {
  readonly profileVersion: number;
  readonly reviewUrl: string;
  readonly confirmations: readonly { readonly confirmed: boolean }[];
};

/**
 * The line about going live among the signals of an overview: the status, during a review whose turn it is, and until the first submission
 * what is known to be missing of it, whatever else needs the owner. `points`: how many are to be confirmed.
 */
export function reviewLine({ status, reviewWaitsFor, latestSteps, profile }: Reviewed, draft: Draft | null, points: number): string {
  if (integrationFacts[status].isInReview) return reviewWaitsFor === 'operator' ? 'In review, your turn' : 'In review, the reviewers’ turn';
  if (status !== 'sandbox' || latestSteps.some(({ step }) => step === 'submitted')) return words[status];
  // What was confirmed belongs to its version of the profile.
  const confirmed = draft?.profileVersion === profile.version ? draft.confirmations.filter((each) => each.confirmed).length : 0;
  const missing = [
    ...(profile.logo ? [] : ['logo']),
    ...(draft?.reviewUrl ? [] : ['review address']),
    ...(confirmed < points ? [counted(points - confirmed, 'confirmation')] : []),
  ];
  return missing.length > 0 ? `Not submitted; missing: ${missing.join(', ')}` : words[status];
}
