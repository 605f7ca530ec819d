import type { Integration } from '../integration/integrationQuery.ts';

/** What follows each status, and whose turn it is. */
const coming: Record<Integration['status'], string | null> = {
  sandbox: 'You submit the profile for production review.',
  submitted: 'A reviewer approves or rejects the submission.',
  rejected: 'You make the changes in the notes and submit again.',
  approved: 'You activate it for production.',
  active: 'It stays active until it is suspended or retired.',
  suspended: 'An administrator reactivates it once the reason is resolved.',
  retired: null,
};

/** The next entry that the history of an integration can get, in words, or null if there can be none. */
export function comingStep(integration: Pick<Integration, 'status' | 'productionDataEnabled' | 'reviewWaitsFor'>): string | null {
  const { status, productionDataEnabled, reviewWaitsFor } = integration;
  if (status === 'active' && !productionDataEnabled) return 'An administrator opens the production gate.';
  if (status === 'submitted' && reviewWaitsFor === 'operator') return 'You answer the question; the reviewers then decide.';
  return coming[status];
}
