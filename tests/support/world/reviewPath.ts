import { randomBytes } from 'node:crypto';
import { grantRole } from '../../../server/domain/programme/grantRole.ts';
import { approveSubmission } from '../../../server/domain/review/reviewer/approveSubmission.ts';
import { rejectSubmission } from '../../../server/domain/review/reviewer/rejectSubmission.ts';
import { saveReviewDraft } from '../../../server/domain/review/reviewer/saveReviewDraft.ts';
import { reviewItems } from '../../../server/domain/review/reviewChecklist.ts';
import type { ReviewSubmission } from '../../../server/domain/review/ReviewSubmission.ts';
import { submitForReview } from '../../../server/domain/review/owner/submitForReview.ts';
import type { OperatorActor } from '../../../server/domain/shared/actor.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { PortalWorld } from './openWorld.ts';
import type { Rows } from './Rows.ts';
import type { IntegrationData, PortalClient } from '../clients/portalClient.ts';

const terminal = { type: 'system', name: 'terminal' } as const;
const origin = { ip: '192.0.2.7', requestId: 'req_test' };

/** The input of a submission in which every item of the checklist is confirmed. */
export const goodSubmission = (integrationId: string, overrides: Record<string, unknown> = {}) => ({
  integrationId,
  profileVersion: 1,
  reviewUrl: 'https://example.com/review',
  confirmations: reviewItems.map((item) => ({ item, confirmed: true, word: item === 'deletion' ? 'We delete every night.' : null })),
  ...overrides,
});

/** A signed-in reviewer. */
export async function reviewer(application: PortalWorld): Promise<PortalClient> {
  const client = await application.operator();
  await grantRole(application.orm.em.fork(), { actor: terminal, email: client.email, role: 'reviewer', now: application.clock.now() });
  return client;
}

/** The actor of a signed-in browser, for calling commands of the domain directly. */
export async function actorOf(client: PortalClient): Promise<OperatorActor> {
  const { data } = await client.viewer();
  if (!data?.operatorId) throw new Error('Nobody is signed in.');
  return { type: 'operator', operatorId: data.operatorId, roles: data.roles as OperatorActor['roles'], ...origin };
}

/** Puts a logo on the current profile version, as an upload would; returns its id. */
export async function addLogo(database: Rows, integrationId: string): Promise<string> {
  const id = newId('lgo');
  await database.rows(
    `with made as (
       insert into logo (id, integration_id, source_format, source_sha256, width, height, rendition_256, rendition_512, created_at, created_by)
       select $2, id, 'png', $3, 512, 512, $3, $3, now(), operator_id from integration where id = $1 returning id)
     update profile_version v set logo_id = made.id from made, integration i
      where i.id = $1 and v.integration_id = i.id and v.version = i.profile_version`,
    [integrationId, id, randomBytes(32)],
  );
  return id;
}

/** Submits one of the owner's integrations, with a logo, through the real command. The owner needs no confirmation here. */
export async function submit(
  application: PortalWorld,
  owner: PortalClient,
  { id }: Pick<IntegrationData, 'id'>,
): Promise<ReviewSubmission> {
  await addLogo(application, id);
  const [current] = await application.rows<{ version: number }>('select profile_version as version from integration where id = $1', [id]);
  return submitForReview(application.orm.em.fork(), {
    actor: await actorOf(owner),
    ...goodSubmission(id),
    profileVersion: current?.version ?? 0,
    now: application.clock.now(),
  });
}

/** Marks every item as met, and approves, through the real commands. */
export async function approve(
  application: PortalWorld,
  by: PortalClient,
  { id: submissionId }: { readonly id: string },
): Promise<ReviewSubmission> {
  const actor = await actorOf(by);
  const now = application.clock.now();
  for (const item of reviewItems) {
    await saveReviewDraft(application.orm.em.fork(), { actor, submissionId, part: item, met: true, note: '', version: null, now });
  }
  return approveSubmission(application.orm.em.fork(), { actor, submissionId, notes: '', now });
}

/** Rejects with notes, through the real command. */
export async function reject(
  application: PortalWorld,
  by: PortalClient,
  { id: submissionId }: { readonly id: string },
  notes = 'The credit is missing on the chart.',
): Promise<ReviewSubmission> {
  const decision = { actor: await actorOf(by), submissionId, notes, now: application.clock.now() };
  return rejectSubmission(application.orm.em.fork(), decision);
}

/**
 * One of the owner's integrations that a reviewer has approved: profile version 1, a production client without certificates, gate closed.
 */
export async function approvedIntegration(
  application: PortalWorld,
  owner: PortalClient,
  overrides: Record<string, unknown> = {},
): Promise<IntegrationData & { clientId: string; commonName: string; submissionId: string }> {
  const integration = await owner.createIntegration(overrides);
  const submission = await submit(application, owner, integration);
  await approve(application, await reviewer(application), submission);
  return { ...integration, status: 'approved', submissionId: submission.id };
}
