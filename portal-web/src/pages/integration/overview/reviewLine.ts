import { integrationFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
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

type Reviewed = Pick<Integration, 'status' | 'reviewWaitsFor'>;

/**
 * The line about going live among the signals of an overview: the status, during a review whose turn it is, and until the first submission
 * what is known to be `missing` of it, whatever else needs the owner.
 */
export function reviewLine({ status, reviewWaitsFor }: Reviewed, missing: string | null): string {
  if (integrationFacts[status].isInReview) return reviewWaitsFor === 'operator' ? 'In review, your turn' : 'In review, the reviewers’ turn';
  return missing === null ? words[status] : `Not submitted; missing: ${missing}`;
}
