import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import { notifyPump } from './notifyPump.ts';
import { isPresent } from './webhookEndpointStatus.ts';

/** Which endpoints: one, or all of a client or an integration. Removed ones count only where they are named themselves. */
type Endpoints = { readonly endpointNumber: number } | { readonly clientNumber: number } | { readonly integrationId: string };

const named = `(select number as endpoint_number from webhook_endpoint
  where number = $1 or (${isPresent()} and (client_number = $2 or integration_id = $3))) p`;
const dueSql = notifyPump('webhook_due', named);
const recheckSql = notifyPump('webhook_recheck', named);

function namesOf(endpoints: Endpoints): unknown[] {
  return [
    'endpointNumber' in endpoints ? endpoints.endpointNumber : null,
    'clientNumber' in endpoints ? endpoints.clientNumber : null,
    'integrationId' in endpoints ? endpoints.integrationId : null,
  ];
}

/**
 * For whatever ends what deliveries are held for: a resumed or proven endpoint, a reactivated integration, an opened gate. From the commit
 * on, the workers release what is no longer held, in slices, so that no command waits for the deliveries of a whole week.
 */
export async function releaseDeliveries(tx: EntityManager, endpoints: Endpoints | 'all'): Promise<void> {
  if (endpoints === 'all') await sql(tx, `select pg_notify('webhook_due', '')`);
  else await sql(tx, dueSql, namesOf(endpoints));
}

/**
 * For whatever may keep a delivery from being sent as it was read: the workers check again what they have read but not yet sent. What is due
 * later is checked anyway.
 */
export async function recheckDeliveries(tx: EntityManager, endpoints: Endpoints | 'all'): Promise<void> {
  if (endpoints === 'all') await sql(tx, `select pg_notify('webhook_recheck', '')`);
  else await sql(tx, recheckSql, namesOf(endpoints));
}
