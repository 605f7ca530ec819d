import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reviewItems } from '../../../server/domain/review/reviewChecklist.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, profileRevision, type IntegrationData, type PortalClient } from '../../support/clients/portalClient.ts';
import { reject, reviewer, submit } from '../../support/world/reviewPath.ts';

let application: PortalWorld;
let owner: PortalClient;
let staff: PortalClient;
let integration: IntegrationData;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  staff = await reviewer(application);
});
beforeEach(async () => {
  owner = await application.operator();
  integration = await owner.createIntegration();
  for (const browser of [owner, staff]) await browser.confirmFreshly();
});
afterAll(() => application.close());

const submitted = async () => (await submit(application, owner, integration)).id;
const statusOf = async () => (await owner.must<IntegrationData>('integration', { slug: integration.slug })).status;

describe('a submission that its owner withdraws', () => {
  const withdraw = (submissionId: string, reason?: string) =>
    owner.call<{ status: string }>('withdrawSubmission', { input: { submissionId, ...(reason !== undefined && { reason }) } });

  test('needs no reason before a reviewer has taken it, and the integration is what it was: a draft, or rejected', async () => {
    const first = await submitted();
    expect((await withdraw(first)).data).toMatchObject({ status: 'withdrawn', withdrawnByOwner: true, decisionNotes: null });
    expect(await statusOf()).toBe('sandbox');
    await reject(application, staff, { id: await submitted() });
    await owner.must('reviseProfile', { input: profileRevision(integration.id, 1, { purpose: 'Shows the owner a delivery date.' }) });
    const third = await submitted();
    expect((await withdraw(third)).data).toMatchObject({ number: 3, status: 'withdrawn' });
    expect(await statusOf()).toBe('rejected');
    expect((await withdraw(third)).errors.map(({ message }) => message)).toEqual([
      'This submission is already withdrawn, so it cannot be withdrawn.',
    ]);
    expect(await submitted()).not.toBe(third);
  });

  test('needs a reason once a reviewer has taken it, who reads the reason and can no longer decide', async () => {
    const submissionId = await submitted();
    await staff.must('takeSubmission', { input: { submissionId } });
    expect(fieldsOf(await withdraw(submissionId, '  '))).toEqual({
      'input.reason': 'A reviewer has already started on this submission. Enter a reason for withdrawing it.',
    });
    expect(await statusOf()).toBe('submitted');
    expect((await withdraw(submissionId, ' The address was wrong. ')).errors).toEqual([]);
    expect(await staff.must('submission', { id: submissionId })).toMatchObject({ decisionNotes: 'The address was wrong.' });
    const late = await staff.call('saveReviewDraft', { input: { submissionId, part: 'terms', met: true } });
    expect(late.errors[0]?.message).toBe('The owner has withdrawn this submission, so there is nothing left to decide.');
    const [line] = await application.rows(
      "select details from audit_entry where action = 'integration.submission_withdrawn' and integration_id = $1",
      [integration.id],
    );
    expect(line).toEqual({ details: { submissionId, submissionNumber: 1, status: 'sandbox', reason: 'The address was wrong.' } });
  });

  test('is either decided or withdrawn when both happen at the same moment', async () => {
    const submissionId = await submitted();
    for (const item of reviewItems) await staff.must('saveReviewDraft', { input: { submissionId, part: item, met: true } });
    const answers = await Promise.all([
      withdraw(submissionId, 'Not ready.'),
      staff.call<{ status: string }>('approveSubmission', { input: { submissionId } }),
    ]);
    expect(answers.flatMap(codesOf)).toEqual(['CONFLICT']);
    const winner = answers.find(({ data }) => data !== null)?.data?.status;
    expect(await statusOf()).toBe(winner === 'approved' ? 'approved' : 'sandbox');
  });
});
