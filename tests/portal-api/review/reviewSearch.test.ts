import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reviewItems } from '../../../server/domain/review/reviewChecklist.ts';
import type { Connection } from '../../support/clients/pages.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { fieldsOf, profileRevision, type IntegrationData, type PortalClient } from '../../support/clients/portalClient.ts';
import { reviewer, submit } from '../../support/world/reviewPath.ts';
import { administrator } from '../../support/clients/toolingClient.ts';

let application: PortalWorld;
let owner: PortalClient;
let staff: PortalClient;
let colleague: PortalClient;
let integration: IntegrationData;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [staff, colleague] = [await reviewer(application), await reviewer(application)];
});
beforeEach(async () => {
  owner = await application.operator();
  for (const browser of [owner, staff, colleague]) await browser.confirmFreshly();
});
afterAll(() => application.close());

describe('searching what is reviewed', () => {
  type Listed = { edges: { node: { slug: string } }[] };
  const lists = ['submissions', 'businessModelReports', 'minorRevisions'] as const;
  /** Which of the lists show the integration for this search. */
  const foundIn = async (by: PortalClient, search: string) => {
    const pages = await Promise.all(
      lists.map((list) => by.must<Listed>(list, { search, first: 20, ...(list === 'submissions' && { tab: 'decided' }) })),
    );
    return lists.filter((_, index) => pages[index]?.edges.some(({ node }) => node.slug === integration.slug));
  };
  let submissionId: string;
  let operatorId: string;

  beforeEach(async () => {
    integration = await owner.createIntegration({ publicName: 'Polar Watch' });
    submissionId = (await submit(application, owner, integration)).id;
    for (const item of reviewItems) await staff.must('saveReviewDraft', { input: { submissionId, part: item, met: true } });
    await staff.must('approveSubmission', { input: { submissionId } });
    const { id, profile } = await owner.must<IntegrationData>('integration', { slug: integration.slug });
    await owner.must('reviseProfile', {
      input: profileRevision(id, Number(profile['version']), { publicName: profile['publicName'], supportEmail: 'new@example.com' }),
    });
    await owner.must('reportBusinessModelChange', { input: { integrationId: id, description: 'A premium plan.' } });
    operatorId = (await owner.viewer()).data?.operatorId ?? '';
  });

  test('reviewers find an integration by a part of its name or slug, by its identifier or a submission’s, and nothing else', async () => {
    for (const search of ['LAR WAT', integration.slug.slice(2), integration.id, submissionId]) {
      expect([search, await foundIn(staff, search)]).toEqual([search, [...lists]]);
    }
    expect(await foundIn(staff, 'never-heard-of')).toEqual([]);
    expect(await foundIn(staff, '%')).toEqual([]);
    const [{ id: clientId, commonName } = { id: '', commonName: '' }] = integration.clients;
    const certificate = await owner.issuedCertificate({ slug: integration.slug, clientId, commonName });
    // What reviewers cannot see finds nothing: an email address, for example, must not reveal whose integration it is.
    const hidden = [
      owner.email,
      owner.email.split('@')[1] ?? '',
      operatorId,
      clientId,
      commonName,
      certificate.id,
      certificate.serial ?? '',
    ];
    for (const search of hidden) expect([search, await foundIn(staff, search)]).toEqual([search, []]);
    const both = await administrator(application);
    await application.rows("update operator set roles = '{reviewer,administrator}' where id = $1", [
      (await both.viewer()).data?.operatorId,
    ]);
    for (const search of [owner.email, operatorId, clientId]) expect([search, await foundIn(both, search)]).toEqual([search, [...lists]]);
    expect(await foundIn(both, integration.slug)).toEqual([...lists]);
  });

  test('a submission is found by the name that it was submitted with, after the integration has been renamed, too', async () => {
    await application.rows("update profile_version set public_name = 'Renamed' where integration_id = $1 and version > 1", [
      integration.id,
    ]);
    await application.rows("update profile_version set public_name = 'Former Name' where integration_id = $1 and version = 1", [
      integration.id,
    ]);
    await application.rows('update review_submission set profile_version = 1 where id = $1', [submissionId]);
    expect(await foundIn(staff, 'former nam')).toEqual(['submissions']);
  });

  test('a search with other filters keeps to these and is read page by page; one that nobody could have written is refused', async () => {
    const shown = async (variables: Record<string, unknown>) =>
      (await staff.must<Connection<{ id: string }>>('submissions', { search: integration.id, ...variables })).edges.map(
        ({ node }) => node.id,
      );
    expect(await shown({ tab: 'mine' })).toEqual([]);
    const first = await staff.must<Connection<{ id: string }>>('submissions', {
      search: 'polar watch',
      tab: 'decided',
      ended: 'approved',
      first: 1,
    });
    const second = await staff.must<Connection<{ id: string }>>('submissions', {
      search: 'polar watch',
      tab: 'decided',
      ended: 'approved',
      first: 1,
      after: first.edges[0]?.cursor,
    });
    expect(first.edges[0]?.node.id).not.toBe(second.edges[0]?.node.id);
    for (const list of lists) expect(fieldsOf(await staff.call(list, { search: 'a\u0007' }))).toHaveProperty('search');
  });

  test('their own integrations stay out of what reviewers find', async () => {
    await application.rows('update integration set operator_id = $2 where id = $1', [
      integration.id,
      (await staff.viewer()).data?.operatorId,
    ]);
    await application.rows('update review_submission set operator_id = $2 where integration_id = $1', [
      integration.id,
      (await staff.viewer()).data?.operatorId,
    ]);
    await application.rows('update business_model_report set operator_id = $2 where integration_id = $1', [
      integration.id,
      (await staff.viewer()).data?.operatorId,
    ]);
    expect(await foundIn(staff, integration.slug)).toEqual([]);
    expect(await foundIn(colleague, integration.slug)).toEqual([...lists]);
  });
});
