import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../shared/environment.ts';
import { timeCursors } from '../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';
import type { payloadModes } from '../webhook/endpoint/WebhookEndpoint.ts';
import { receivesNow, webhookEndpointLifecycle, type WebhookEndpointStatus } from '../outbox/webhookEndpointStatus.ts';

/** `failing`: active ones at which every attempt has failed since a moment. `paused`: those that administrators have paused. */
export const endpointViews = ['failing', 'paused'] as const;
export type EndpointView = (typeof endpointViews)[number];

/** An endpoint as administrators see it: with the host alone, since path and query may hold a secret. */
export type AdministeredEndpoint = {
  readonly number: number;
  readonly id: string;
  readonly integrationId: string;
  readonly environment: Environment;
  readonly host: string;
  readonly payloadMode: (typeof payloadModes)[number];
  readonly status: WebhookEndpointStatus;
  readonly statusChangedAt: Date;
  readonly pausedBy: 'owner' | 'administrator' | null;
  readonly pauseReason: string | null;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
};

type Row = Omit<AdministeredEndpoint, 'host'> & { readonly url: string };

const columns = `p.number, p.id, p.integration_id as "integrationId", k.environment, p.url, p.payload_mode as "payloadMode", p.status, p.paused_by as "pausedBy",
       p.pause_reason as "pauseReason", p.status_changed_at as "statusChangedAt", p.failing_since as "failingSince",
       p.last_success_at as "lastSuccessAt"`;

/** Indexes webhook_endpoint_failing and webhook_endpoint_paused. */
const views = {
  failing: {
    time: 'p.failing_since',
    condition: `p.failing_since is not null and ${receivesNow('p')}`,
    beyond: '>',
    direction: 'asc',
  },
  paused: {
    time: 'p.status_changed_at',
    condition: `${webhookEndpointLifecycle.where(({ receives }) => receives === 'notNow', { row: 'p' })} and p.paused_by = 'administrator'`,
    beyond: '<',
    direction: 'desc',
  },
} as const satisfies Record<EndpointView, object>;

/**
 * A page of everybody's endpoints for administrators: those that have failed for longest first, or those that were paused last first.
 * Errors: invalid_request.
 */
export function failingWebhookEndpoints(
  em: EntityManager,
  { view, ...request }: { view: EndpointView } & PageRequest,
): Promise<Page<AdministeredEndpoint>> {
  const { time, condition, beyond, direction } = views[view];
  return page(request, {
    cursors: timeCursors(
      ({ failingSince, statusChangedAt }: AdministeredEndpoint) => (view === 'failing' && failingSince ? failingSince : statusChangedAt),
      ({ number }) => [number],
      (text): [number] | undefined => (/^[1-9]\d{0,8}$/.test(text) ? [Number(text)] : undefined),
    ),
    read: async (count, last) => {
      const after = last === null ? '' : `and (${time}, p.number) ${beyond} ($2::timestamptz, $3::int)`;
      const rows = await sql<Row>(
        em,
        `select ${columns} from webhook_endpoint p join client k on k.number = p.client_number where ${condition} ${after}
          order by ${time} ${direction}, p.number ${direction} limit $1`,
        [count, ...(last ?? [])],
      );
      return rows.map(endpointOf);
    },
  });
}

/** One endpoint that exists, as administrators see it. */
export async function administeredEndpoint(em: EntityManager, number: number): Promise<AdministeredEndpoint> {
  const [row] = await sql<Row>(
    em,
    `select ${columns} from webhook_endpoint p join client k on k.number = p.client_number where p.number = $1`,
    [number],
  );
  if (!row) throw new Error(`There is no endpoint ${number}.`);
  return endpointOf(row);
}

function endpointOf({ url, ...row }: Row): AdministeredEndpoint {
  return { ...row, host: new URL(url).hostname };
}
