import { randomBytes } from 'node:crypto';
import { reviewItems } from '../../../server/domain/review/reviewChecklist.ts';
import { allScopes } from '../../../server/domain/shared/scopes.ts';
import { judgeHealth } from '../../../workers/tasks/judgeHealth.ts';
import { picture } from '../logo-files/pictures.ts';
import type { PortalWorld } from '../world/openWorld.ts';
import { profileRevision, type IntegrationData, type PortalClient } from '../clients/portalClient.ts';
import { goodSubmission, reviewer } from '../world/reviewPath.ts';
import { acknowledge, numberOfClient, revokedConnection, revokedOrder } from '../world/revocationFixtures.ts';
import { SandboxClient } from '../clients/sandboxClient.ts';
import { administrator } from '../clients/toolingClient.ts';
import { moveBack } from './longAgo.ts';
import { populateWebhooks } from '../webhooks/populateWebhooks.ts';
import { writeRequests } from '../world/usageFixtures.ts';

const day = 24 * 60 * 60 * 1000;

/** The people who look at the pages, and the objects that the pages' addresses name. */
export type PopulatedPortal = {
  /** Owns `slug`, which is active, and `submittedSlug`, which is under review. */
  readonly owner: PortalClient;
  readonly slug: string;
  readonly submittedSlug: string;
  readonly submissionId: string;
  readonly ownerId: string;
  /** An endpoint of `slug`, and one of its deliveries, which failed. */
  readonly endpointId: string;
  readonly deliveryId: string;
  /** Has accepted version 1 of the terms, while version 2 is current. */
  readonly behind: PortalClient;
  readonly reviewer: PortalClient;
  readonly administrator: PortalClient;
};

/**
 * A portal in which every page has something to show: an integration that has been through everything, one under review, decisions and
 * failures.
 */
export async function populate(application: PortalWorld): Promise<PopulatedPortal> {
  const sandbox = await SandboxClient.open(application, allScopes, { publicName: 'Nordlys Tracker', slug: 'nordlys-tracker' });
  const { operator: owner, slug } = sandbox;
  const staff = { reviewer: await reviewer(application), administrator: await administrator(application) };
  const everybody = { owner, ...staff };
  for (const client of Object.values(everybody)) await client.confirmFreshly();
  const { id } = await owner.must<IntegrationData>('integration', { slug });
  const certificate = await certify(sandbox);
  await uploadLogo(owner, slug);
  await bringToProduction({ id, version: 2, ...everybody });
  // The gates are announced by then.
  await application.work();
  await moveBack(application, slug, 28);
  await useSandbox(application, sandbox, certificate);
  await decide(application, { id, slug, ...everybody });
  const { submissionId, submittedSlug } = await underReview(everybody);
  const behind = await application.operator();
  await behind.acceptTerms();
  const terms = { title: 'Integration Terms', markdown: '# Integration Terms\n\n## Licence\n\nStill **non-commercial**.', replaces: 1 };
  await staff.administrator.must('publishTerms', { input: terms });
  for (const client of Object.values(everybody)) await client.acceptTerms(2);
  const { operatorId: ownerId } = await owner.must<{ operatorId: string }>('account');
  const webhooks = await populateWebhooks(application, await numberOfClient(application, slug));
  await judgeHealth(undefined, application.workerContext());
  return { ...everybody, ...webhooks, behind, slug, ownerId, submissionId, submittedSlug };
}

type Everybody = Pick<PopulatedPortal, 'owner' | 'reviewer' | 'administrator'>;
type Named = { readonly id: string };

/** Uploads the file as a browser would, so that pages show an image. */
async function uploadLogo(owner: PortalClient, slug: string): Promise<void> {
  const body = new Uint8Array(await picture(512).png().toBuffer());
  const { status } = await owner.fetch(`/integrations/${slug}/logo`, { method: 'POST', body });
  if (status !== 201) throw new Error(`The logo was answered with ${status}.`);
}

async function certify({ operator, clientId, slug }: SandboxClient) {
  const { clients } = await operator.must<IntegrationData>('integration', { slug });
  const commonName = clients[0]?.commonName ?? '';
  return { commonName, ...(await operator.issuedCertificate({ slug, clientId, commonName })) };
}

/** Requests, link codes and revocations in the sandbox. */
async function useSandbox(
  application: PortalWorld,
  sandbox: SandboxClient,
  { commonName, ...certificate }: Awaited<ReturnType<typeof certify>>,
): Promise<void> {
  const { slug } = sandbox;
  const clientNumber = await numberOfClient(application, slug);
  await writeRequests(application.databaseUrl, { clientNumber, commonName, certificate }, [
    ...Array.from({ length: 12 }, (_, n) => ({ occurredAt: new Date(application.clock.now().getTime() - n * 60_000) })),
    { status: 429, problem: 'rate_limit_exceeded' },
    { operation: 'getOrder', status: 404, problem: 'not_found' },
  ]);
  const { code } = await sandbox.must<{ code: string }>('generateSandboxLinkCode', { orders: 2 });
  await sandbox.redeem(code);
  await sandbox.must('generateSandboxLinkCode', { orders: 1 });
  await sandbox.must('publishSandboxStatistics');
}

/** Rejected once, approved, activated, with both gates open. */
async function bringToProduction({
  id,
  version,
  owner,
  reviewer: reviewing,
  administrator: admin,
}: Everybody & Named & { version: number }) {
  const submission = goodSubmission(id, { profileVersion: version });
  const first = await owner.must<Named>('submitForReview', { input: submission });
  await reviewing.must('askQuestion', { input: { submissionId: first.id, body: 'Where is the credit on the chart?' } });
  await owner.must('answerQuestion', { input: { submissionId: first.id, body: 'Below its title.' } });
  await reviewing.must('saveReviewDraft', { input: { submissionId: first.id, part: 'privacy', met: false, note: 'The link is dead.' } });
  await reviewing.must('rejectSubmission', { input: { submissionId: first.id, notes: 'Repair the link to the privacy policy.' } });
  const { id: submissionId } = await owner.must<Named>('submitForReview', { input: submission });
  for (const item of reviewItems) await reviewing.must('saveReviewDraft', { input: { submissionId, part: item, met: true } });
  await reviewing.must('approveSubmission', { input: { submissionId } });
  await owner.must('activateForProduction', { input: { integrationId: id, profileVersion: version } });
  await admin.must('openProductionGate', { input: { reason: 'The rollout begins.' } });
  await admin.must('openProductionGate', { input: { integrationId: id, reason: 'The first pilot.' } });
}

/** What happens in production, and what administrators do. */
async function decide(application: PortalWorld, { id, slug, owner, administrator: admin }: Everybody & Named & { slug: string }) {
  const now = application.clock.now().getTime();
  const clientNumber = await numberOfClient(application, slug, 'production');
  await revokedOrder(application, { clientNumber, revokedAt: new Date(now - 2 * day) });
  await revokedConnection(application, { clientNumber, revokedAt: new Date(now - 6 * day) }, 3);
  const { revocationId } = await revokedOrder(application, { clientNumber, revokedAt: new Date(now - 9 * day) });
  await acknowledge(application, revocationId, new Date(now - day), true);
  await owner.must('reportBusinessModelChange', { input: { integrationId: id, description: 'We will show adverts from May on.' } });
  const agreement = { reference: 'A-2026-17', summary: 'Adverts beside the chart.', validFrom: '2026-12-01' };
  await admin.must('recordCommercialAgreement', { input: { integrationId: id, ...agreement } });
  const { clients, profile } = await owner.must<IntegrationData>('integration', { slug });
  const clientId = clients.find(({ environment }) => environment === 'production')?.id;
  await admin.must('setQuotaOverride', { input: { clientId, quota: 'requests_per_hour', value: 1200, reason: 'A fleet of its own.' } });
  await admin.must('createServiceToken', { input: { name: 'Order feed', environment: 'production', permissions: ['resources.write'] } });
  const minor = {
    publicName: 'Nordlys Tracker',
    requestedScopes: allScopes,
    supportEmail: 'support@example.com',
    donationUrl: 'https://example.com/tip',
  };
  await owner.must('reviseProfile', { input: profileRevision(id, Number(profile['version']), minor) });
  const empty = await application.rows(
    `select f.key from integration i join profile_version p on p.integration_id = i.id and p.version = i.profile_version cross join jsonb_each(to_jsonb(p)) f
      where i.id = $1 and f.value = 'null'`,
    [id],
  );
  if (empty.length > 0) throw new Error(`No page shows these fields of a profile, because they are empty: ${JSON.stringify(empty)}`);
  await application.rows(
    "select graphile_worker.add_job('sendMail', json_build_object('mailId', 'mail_x'), run_at => now() + interval '1 day')",
  );
  await application.rows(
    "update graphile_worker._private_jobs set attempts = 25, last_error = 'refused' where payload->>'mailId' = 'mail_x'",
  );
}

/** A second submission with an open question, after a first one that was rejected. */
async function underReview({ owner, reviewer: reviewing }: Everybody): Promise<{ submissionId: string; submittedSlug: string }> {
  const { id, slug } = await owner.createIntegration({ publicName: 'Order Board', slug: `order-board-${randomBytes(4).toString('hex')}` });
  await uploadLogo(owner, slug);
  const first = await owner.must<Named>('submitForReview', { input: goodSubmission(id, { profileVersion: 2 }) });
  await reviewing.must('rejectSubmission', { input: { submissionId: first.id, notes: 'Repair the link to the privacy policy.' } });
  const repaired = { privacyPolicyUrl: 'https://example.com/privacy-policy' };
  await owner.must('reviseProfile', { input: profileRevision(id, 2, repaired) });
  const { id: submissionId } = await owner.must<Named>('submitForReview', { input: goodSubmission(id, { profileVersion: 3 }) });
  await reviewing.must('takeSubmission', { input: { submissionId } });
  await reviewing.must('saveReviewDraft', { input: { submissionId, part: 'privacy', met: true } });
  await reviewing.must('askQuestion', { input: { submissionId, body: 'Is the statistics page public?' } });
  return { submissionId, submittedSlug: slug };
}
