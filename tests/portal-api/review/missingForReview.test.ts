import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reviewItems } from '../../../server/domain/review/reviewChecklist.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { addLogo, goodSubmission } from '../../support/world/reviewPath.ts';

let application: PortalWorld;
let owner: PortalClient;
let slug: string;
let integrationId: string;

beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await application.operator();
  await owner.confirmFreshly();
  ({ slug, id: integrationId } = await owner.createIntegration());
}, 60_000);
afterAll(() => application?.close());

async function missing(): Promise<string | null | undefined> {
  const { data } = await owner.graphql<{ integration: { missingForReview: string | null } }>(
    `{ integration(slug: "${slug}") { missingForReview } }`,
  );
  return data?.integration.missingForReview;
}
const confirmed = (items: readonly string[]) => items.map((item) => ({ item, confirmed: true, word: null }));

test('what is known to be missing of a first submission is the logo, the review address and what is not confirmed of this profile version', async () => {
  expect(await missing()).toBe('logo, review address, 9 confirmations');
  const [first = '', second = ''] = reviewItems;
  const input = { integrationId, reviewUrl: 'https://tracker.example/review', confirmations: confirmed([first]) };
  await owner.must('saveSubmissionDraft', {
    input: { ...input, confirmations: [...input.confirmations, { item: second, confirmed: false, word: null }] },
  });
  expect(await missing()).toBe('logo, 8 confirmations');
  // What was confirmed of another version of the profile counts no longer, nor what has left the checklist since.
  await application.rows('update submission_draft set profile_version = profile_version - 1 where integration_id = $1', [integrationId]);
  expect(await missing()).toBe('logo, 9 confirmations');
  await application.rows(
    `update submission_draft set profile_version = profile_version + 1, confirmations = confirmations || '[{"item": "gone", "confirmed": true}]' where integration_id = $1`,
    [integrationId],
  );
  expect(await missing()).toBe('logo, 8 confirmations');
  await addLogo(application, integrationId);
  await owner.must('saveSubmissionDraft', { input: { ...input, confirmations: confirmed(reviewItems) } });
  expect(await missing()).toBeNull();
});

test('once it has been submitted, nothing is said to be missing, also after a withdrawal', async () => {
  const { slug: other, id } = await owner.createIntegration();
  [slug, integrationId] = [other, id];
  await addLogo(application, id);
  const { id: submissionId } = await owner.must<{ id: string }>('submitForReview', { input: goodSubmission(id) });
  expect(await missing()).toBeNull();
  await owner.must('withdrawSubmission', { input: { submissionId } });
  expect(await missing()).toBeNull();
});
