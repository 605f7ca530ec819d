import { randomBytes } from 'node:crypto';
import type { AuditAction } from '../../../server/domain/audit/auditActions.ts';
import type { integrationFacts } from '../../../server/domain/integration/integrationFacts.ts';
import { holdOf, isOver, type IntegrationStatus } from '../../../server/domain/integration/integrationStatus.ts';
import type { PortalClient } from '../clients/portalClient.ts';
import { SandboxClient } from '../clients/sandboxClient.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import type { PortalWorld } from '../world/openWorld.ts';
import { numberOfClient, revokedOrder } from '../world/revocationFixtures.ts';
import { syncedToEnd } from '../world/sandboxFixtures.ts';
import { writeRequests } from '../world/usageFixtures.ts';
import { heldCertificate } from './stateCertificates.ts';
import { unprovenEndpoint, usedEndpoint } from './stateWebhooks.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** What an active integration may become. */
type StoppedStatus = Exclude<
  {
    [Status in IntegrationStatus]: (typeof integrationFacts)[Status]['production'] extends 'unapproved' | 'prepared' ? never : Status;
  }[IntegrationStatus],
  'active'
>;

/** What brings an integration into each: its line of the trail, and whether staff decide it with a reason. */
const stops = {
  suspended: { action: 'integration.suspended', byStaff: true },
  retired: { action: 'integration.retired', byStaff: false },
} as const satisfies Readonly<Record<StoppedStatus, { readonly action: AuditAction; readonly byStaff: boolean }>>;
const stoppedStatuses = Object.keys(stops) as StoppedStatus[];

/** What an operator's page has to say, from a new integration to a retired one: an integration is in each. */
export type PageState = 'new' | 'healthy' | 'attention' | 'failing' | StoppedStatus;
export const pageStates = ['new', 'healthy', 'attention', 'failing', ...stoppedStatuses] as const satisfies readonly PageState[];

/** What the name of the line about production's health says in each state; about the sandbox's where there is no production. */
export const healthNames: Readonly<Record<PageState, RegExp>> = {
  new: /waiting for your first call/i,
  healthy: /[:;] synced /i,
  attention: /certificate|deletion|not delivered/i,
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
      slug: `${state.replaceAll('_', '-')}-${randomBytes(4).toString('hex')}`,
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

/** When an integration took the steps of its way, in days ago. */
const ways = {
  created: 28,
  sandboxCertificate: 26,
  submitted: 24,
  approved: 22,
  activated: 20,
  gateOpened: 19,
  endpointAdded: 18,
  sandboxSync: 6,
};
/** When it was stopped, where it was, in days ago. */
const stopped = 2;

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
    webhooksFailForHours: 26,
    unproven: true,
  },
  suspended: { status: 'suspended', syncMinutesAgo: stopped * 24 * 60 + 4, certificateEndsIn: 70, revokedDaysAgo: 3 },
  retired: { status: 'retired', syncMinutesAgo: 3 * 24 * 60, certificateEndsIn: 70, revokedDaysAgo: stopped },
};

type Plot = {
  readonly status: 'active' | StoppedStatus;
  readonly syncMinutesAgo: number;
  readonly certificateEndsIn: number;
  readonly refused?: number;
  readonly revokedDaysAgo?: number;
  readonly deadLetters?: number;
  /** How long every attempt at the endpoint has failed. */
  readonly webhooksFailForHours?: number;
  /** Whether there is a second endpoint, whose challenge has failed. */
  readonly unproven?: boolean;
};

const reason = 'The credit is missing from your public pages.';
const signed = 'The agreement is signed.';
/** What staff said of a step in the trail. */
const reasonOf = (action: string): string =>
  action.includes('gate') ? signed : action.includes('approved') ? 'Nothing is missing.' : reason;

/** Writes the rows that the sandbox, production, its use and the staff's decisions would have left. */
async function bringInto(state: Exclude<PageState, 'new'>, application: PortalWorld, slug: string): Promise<void> {
  const plot = plots[state];
  const { status, revokedDaysAgo, webhooksFailForHours, deadLetters: refused = 0, unproven = false } = plot;
  const now = application.clock.now().getTime();
  const ago = (days: number) => new Date(now - days * day);
  const number = await numberOfClient(application, slug, 'production');
  await application.rows(
    `update integration set status = $2, reviewed_profile_version = profile_version, production_gate_open = true, production_gate_changed_at = $3, production_gate_reason = '${signed}',
       status_reason = $4, status_changed_at = $5 where slug = $1`,
    [
      slug,
      status,
      ago(ways.gateOpened),
      status === 'active' || !stops[status].byStaff ? null : reason,
      ago(status === 'active' ? ways.activated : stopped),
    ],
  );
  await history(application, slug, status, now);
  await sandboxUse(application, slug, status, now);
  await productionUse(application, number, plot, now);
  if (revokedDaysAgo !== undefined) await revokedOrder(application, { clientNumber: number, revokedAt: ago(revokedDaysAgo) });
  const failingSince = webhooksFailForHours === undefined ? null : new Date(now - webhooksFailForHours * 60 * minute);
  const end = failingSince ?? ago(status === 'active' ? 0 : stopped);
  await usedEndpoint(application, {
    clientNumber: number,
    url: `https://${state}.hooks.example.com/orders`,
    addedAt: ago(ways.endpointAdded),
    lastSuccessAt: new Date(end.getTime() - 6 * minute),
    failingSince,
    removedAt: isOver(status) ? ago(stopped) : null,
    refused,
    heldFor: holdOf(status),
  });
  if (unproven) await unprovenEndpoint(application, number, new Date(now - 2 * 60 * minute));
}

/** Every integration in production was proven in its sandbox before. */
async function sandboxUse(application: PortalWorld, slug: string, status: Plot['status'], now: number): Promise<void> {
  const clientNumber = await numberOfClient(application, slug, 'sandbox');
  const issuedAt = new Date(now - ways.sandboxCertificate * day);
  const syncedAt = new Date(now - ways.sandboxSync * day);
  const certificate = await heldCertificate(application, {
    clientNumber,
    issuedAt,
    endsAt: new Date(issuedAt.getTime() + 90 * day),
    revokedAt: isOver(status) ? new Date(now - stopped * day) : null,
  });
  await writeRequests(
    application.databaseUrl,
    { clientNumber, commonName: certificate.commonName, certificate },
    Array.from({ length: 12 }, (_, n) => ({ occurredAt: new Date(syncedAt.getTime() - n * 15 * minute) })),
  );
  await syncedToEnd(application, certificate.clientId, syncedAt);
}

async function productionUse(application: PortalWorld, clientNumber: number, plot: Plot, now: number): Promise<void> {
  const { status, syncMinutesAgo, certificateEndsIn, refused = 0 } = plot;
  const certificate = await heldCertificate(application, {
    clientNumber,
    issuedAt: new Date(now - (ways.activated - 0.5) * day),
    endsAt: new Date(now + certificateEndsIn * day),
    revokedAt: isOver(status) ? new Date(now - stopped * day) : null,
  });
  const at = (minutes: number) => ({ occurredAt: new Date(now - minutes * minute) });
  const refusal = { status: 400, problem: 'invalid_cursor' } as const;
  await writeRequests(application.databaseUrl, { clientNumber, commonName: certificate.commonName, certificate }, [
    ...Array.from({ length: 40 }, (_, n) => at(syncMinutesAgo + n * 30)),
    ...Array.from({ length: refused }, (_, n) => ({ ...at(2 + n), ...refusal })),
  ]);
  await application.rows(
    `insert into client_activity (client_number, last_request_at, last_sync_at) values ($1, $2, $3)
     on conflict (client_number) do update set last_request_at = excluded.last_request_at, last_sync_at = excluded.last_sync_at`,
    [clientNumber, new Date(now - (refused > 0 ? 2 : syncMinutesAgo) * minute), new Date(now - syncMinutesAgo * minute)],
  );
}

/** The integration and its steps at their times, in the trail as well, each by the one who takes it: its owner or the staff. */
async function history(application: PortalWorld, slug: string, status: Plot['status'], now: number): Promise<void> {
  const created = new Date(now - ways.created * day).toISOString();
  const of = `(select id from integration where slug = '${slug}')`;
  // The trail’s rows can be written once only, except in this mode.
  await application.rows(`begin; set local session_replication_role = replica;
    update integration set created_at = '${created}' where slug = '${slug}';
    update client set created_at = '${created}' where integration_id = ${of};
    update profile_version set created_at = '${created}', attribution_accepted_at = '${created}' where integration_id = ${of};
    update sandbox_corpus set requested_at = '${created}', started_at = '${created}', ready_at = '${created}'
     where client_number in (select number from client where integration_id = ${of});
    update profile_version set webhook_model = 'notification' where integration_id = ${of};
    update shared_resource set updated_at = updated_at - interval '${ways.created} days' where client_number in (select number from client where integration_id = ${of});
    update connection set created_at = created_at - interval '${ways.created} days' where client_number in (select number from client where integration_id = ${of});
    update revocation set revoked_at = '${created}' where client_number in (select number from client where integration_id = ${of});
    update audit_entry set occurred_at = '${created}' where integration_id = ${of} and action = 'integration.created';
    commit`);
  const staff = newId('opr');
  const steps = [
    ['integration.submitted', ways.submitted, null],
    ['integration.approved', ways.approved, staff],
    ['integration.activated', ways.activated, null],
    ['integration.gate_opened', ways.gateOpened, staff],
    ...(status === 'active' ? [] : [[stops[status].action, stopped, stops[status].byStaff ? staff : null] as const]),
  ] as const;
  for (const [action, daysAgo, by] of steps) {
    await application.rows(
      `insert into audit_entry (occurred_at, actor_type, actor_id, action, subject_type, subject_id, operator_id, integration_id, details)
       select $2, 'operator', coalesce($5, operator_id), $3, 'integration', id, operator_id, id, $4 from integration where slug = $1`,
      [slug, new Date(now - daysAgo * day), action, by === null ? {} : { reason: reasonOf(action) }, by],
    );
  }
}
