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
};

/** The line about the review among the signals of an overview: the status, and, during a review, whose turn it is. */
export function reviewLine({ status, reviewWaitsFor }: Pick<Integration, 'status' | 'reviewWaitsFor'>): string {
  if (!integrationFacts[status].isInReview) return words[status];
  return reviewWaitsFor === 'operator' ? 'In review, your turn' : 'In review, the reviewers’ turn';
}
