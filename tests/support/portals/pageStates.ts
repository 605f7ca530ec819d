import { randomBytes } from 'node:crypto';
import type { PortalClient } from '../clients/portalClient.ts';
import { SandboxClient } from '../clients/sandboxClient.ts';
import type { ChallengeStep } from '../../../server/domain/webhook/challenge/challengeSteps.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import { storedDelivery } from '../webhooks/deliveryRows.ts';
import { webhookEndpoint, type TestEndpoint } from '../webhooks/endpointRows.ts';
import type { PortalWorld } from '../world/openWorld.ts';
import { clientNumber, revokedOrder } from '../world/revocationFixtures.ts';
import { writeRequests } from '../world/usageFixtures.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** What an operator's page has to say, from a new integration to a retired one: an integration is in each. */
export const pageStates = ['new', 'healthy', 'attention', 'failing', 'suspended', 'retired'] as const;
export type PageState = (typeof pageStates)[number];

/** What the name of the line about production's health says in each state; about the sandbox's where there is no production. */
export const healthNames: Readonly<Record<PageState, RegExp>> = {
  new: /waiting for your first call/i,
  healthy: /data flows/i,
  attention: /certificate|deletion/i,
  failing: /refused|overdue/i,
  suspended: /suspended/i,
  retired: /retired/i,
};

export type StatesOfPages = { readonly owner: PortalClient; readonly slugs: Readonly<Record<PageState, string>> };

/** One operator with an integration in each state of the pages, or in those that are wanted. Only the new one has never called; all others have a production client. */
export async function populateStates(application: PortalWorld, wanted: readonly PageState[] = pageStates): Promise<StatesOfPages> {
  const owner = await application.operator();
  const slugs = {} as Record<PageState, string>;
  await application.rows(
    "update service_gate set production_data_enabled = true, reason = 'The rollout begins.', changed_at = now() - interval '30 days'",
  );
  for (const state of wanted) {
    const { slug, clientId } = await owner.createIntegration({
      publicName: names[state],
      slug: `${state}-${randomBytes(4).toString('hex')}`,
    });
    await SandboxClient.buildOf(application, clientId);
    slugs[state] = slug;
    if (state !== 'new') await bringInto(state, application, slug);
  }
  return { owner, slugs };
}

const names: Readonly<Record<PageState, string>> = {
  new: 'Anchor Tracker',
  healthy: 'Beacon Tracker',
  attention: 'Compass Tracker',
  failing: 'Drifter Tracker',
  suspended: 'Ensign Tracker',
  retired: 'Foghorn Tracker',
};

/** What differs between the states. Times are how long ago, in days unless they say otherwise. */
const plots: Readonly<Record<Exclude<PageState, 'new'>, Plot>> = {
  healthy: { status: 'active', syncMinutesAgo: 4, certificateEndsIn: 70 },
  attention: { status: 'active', syncMinutesAgo: 4, certificateEndsIn: 9, revokedDaysAgo: 5.5, deadLetters: 2, unproven: true },
  failing: {
    status: 'active',
    syncMinutesAgo: 4,
    certificateEndsIn: 70,
    refused: 30,
    revokedDaysAgo: 8,
    deadLetters: 12,
    webhooksFailForHours: 26,
    unproven: true,
  },
  suspended: { status: 'suspended', syncMinutesAgo: 180, certificateEndsIn: 70, revokedDaysAgo: 3 },
  retired: { status: 'retired', syncMinutesAgo: 3 * 24 * 60, certificateEndsIn: null, revokedDaysAgo: 2 },
};

type Plot = {
  readonly status: 'active' | 'suspended' | 'retired';
  readonly syncMinutesAgo: number;
  /** Null where the certificate was revoked. */
  readonly certificateEndsIn: number | null;
  readonly refused?: number;
  readonly revokedDaysAgo?: number;
  readonly deadLetters?: number;
  /** How long every attempt at the endpoint has failed. */
  readonly webhooksFailForHours?: number;
  /** Whether there is a second endpoint, whose challenge has failed. */
  readonly unproven?: boolean;
};

/** Writes the rows that production, its use and the staff's decisions would have left. */
async function bringInto(state: Exclude<PageState, 'new'>, application: PortalWorld, slug: string): Promise<void> {
  const { status, syncMinutesAgo, certificateEndsIn, refused = 0, revokedDaysAgo } = plots[state];
  const { deadLetters = 0, webhooksFailForHours, unproven = false } = plots[state];
  const now = application.clock.now().getTime();
  const no = await clientNumber(application, slug, 'production');
  await application.rows(
    `update integration set status = $2, reviewed_profile_version = profile_version, production_gate_open = true, production_gate_changed_at = $3,
       status_reason = case when $2 = 'suspended' then 'The deletion of 14 November has not been acknowledged.' end, status_changed_at = $4 where slug = $1`,
    [slug, status, new Date(now - 19 * day), new Date(now - 2 * day)],
  );
  await history(application, slug, status, now);
  const certificate = await productionCertificate(application, no, certificateEndsIn);
  const at = (minutes: number) => ({ occurredAt: new Date(now - minutes * minute) });
  const refusal = { status: 429, problem: 'rate_limit_exceeded' } as const;
  await writeRequests(application.databaseUrl, { clientNo: no, commonName: certificate.commonName, certificate }, [
    ...Array.from({ length: 40 }, (_, n) => at(syncMinutesAgo + n * 30)),
    ...Array.from({ length: refused }, (_, n) => ({ ...at(2 + n), ...refusal })),
  ]);
  await application.rows(
    `insert into client_activity (client_no, last_request_at, last_sync_at) values ($1, $2, $2)
     on conflict (client_no) do update set last_request_at = excluded.last_request_at, last_sync_at = excluded.last_sync_at`,
    [no, new Date(now - syncMinutesAgo * minute)],
  );
  if (revokedDaysAgo !== undefined) await revokedOrder(application, { clientNo: no, revokedAt: new Date(now - revokedDaysAgo * day) });
  const endpoint = await webhookEndpoint(application, no, {
    url: `https://${state}.hooks.example.com/orders`,
    status: status === 'retired' ? 'removed' : 'active',
    at: new Date(now - 18 * day),
  });
  const failingSince = webhooksFailForHours === undefined ? null : new Date(now - webhooksFailForHours * 60 * minute);
  await application.rows('update webhook_endpoint set last_success_at = $2, failing_since = $3, failures_in_row = $4 where no = $1', [
    endpoint.no,
    new Date((failingSince?.getTime() ?? now) - 6 * minute),
    failingSince,
    failingSince ? 40 : 0,
  ]);
  for (let letter = 0; letter < deadLetters; letter += 1) {
    const dead = { endpoint, clientNo: no, state: 'dead', at: new Date(now - (letter + 1) * 60 * minute), attempts: 3 } as const;
    // Some answered that nobody is there; others did not answer until their time was over.
    await storedDelivery(application, letter % 3 === 2 ? { ...dead, type: 'resource.updated', reason: 'window_over' } : dead);
  }
  if (unproven) await unprovenEndpoint(application, no, new Date(now - 2 * 60 * minute));
}

/** An endpoint that was added, and whose server was asked and refused the connection. */
async function unprovenEndpoint(application: PortalWorld, clientNo: number, at: Date): Promise<TestEndpoint> {
  const endpoint = await webhookEndpoint(application, clientNo, { url: 'https://next.hooks.example.com/orders', status: 'registered', at });
  const steps: ChallengeStep[] = [
    { name: 'addresses', outcome: 'passed', at: at.toISOString(), tookMs: 12, facts: ['203.0.113.20'] },
    { name: 'connection', outcome: 'failed', at: at.toISOString(), tookMs: 31, failure: 'connection_refused', facts: ['203.0.113.20'] },
  ];
  await application.rows(
    `insert into webhook_challenge (id, endpoint_no, url, status, requested_at, requested_by, finished_at, failure, steps)
     select $1, no, url, 'failed', $2, created_by, $2, 'connection_refused', $3::jsonb from webhook_endpoint where no = $4`,
    [newId('whc'), at, JSON.stringify(steps), endpoint.no],
  );
  return endpoint;
}

async function history(application: PortalWorld, slug: string, status: Plot['status'], now: number): Promise<void> {
  const steps = [
    ['integration.submitted', 24],
    ['integration.approved', 22],
    ['integration.activated', 20],
    ...(status === 'active' ? [] : [[`integration.${status}`, 2] as const]),
  ] as const;
  for (const [action, daysAgo] of steps) {
    await application.rows(
      `insert into audit_entry (occurred_at, actor_type, actor_id, action, subject_type, subject_id, operator_id, integration_id, details)
       select $2, 'operator', operator_id, $3, 'integration', id, operator_id, id, $4 from integration where slug = $1`,
      [
        slug,
        new Date(now - daysAgo * day),
        action,
        action === 'integration.suspended' ? { reason: 'The deletion has not been acknowledged.' } : {},
      ],
    );
  }
}

async function productionCertificate(application: PortalWorld, clientNo: number, endsIn: number | null) {
  const [client] = await application.rows<{ id: string; operatorId: string; integrationId: string }>(
    'select c.id, i.operator_id as "operatorId", i.id as "integrationId" from client c join integration i on i.id = c.integration_id where c.no = $1',
    [clientNo],
  );
  if (!client) throw new Error(`There is no client ${clientNo}.`);
  const commonName = `svc:production:${client.id}`;
  const now = application.clock.now().getTime();
  const end = new Date(now + (endsIn ?? 60) * day);
  const certificate = await application.fixtures.certificate(
    application.authority,
    { no: clientNo, environment: 'production', commonName, ...client },
    { notBefore: new Date(end.getTime() - 90 * day), notAfter: end },
  );
  if (endsIn === null) await application.fixtures.revokeCertificate(certificate);
  else await application.rows('update certificate set slot = 1 where id = $1', [certificate.id]);
  return { ...certificate, commonName };
}
