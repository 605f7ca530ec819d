import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../../shared/DomainError.ts';
import { hasIdForm } from '../../shared/ids.ts';
import { sql } from '../../shared/sql.ts';
import { deliveryColumns, eventOfDelivery } from './deliveryList.sql.ts';
import { deliveryOf, type Delivery, type DeliveryRow } from './deliveries.ts';

/** By the key of the ID, and primary keys. */
const ownSql = `
select ${deliveryColumns}
  from webhook_delivery d join webhook_endpoint p on p.number = d.endpoint_number join integration i on i.id = p.integration_id and i.operator_id = $2
  ${eventOfDelivery}
 where d.id = $1`;

/** One delivery to an endpoint of the operator's own. Somebody else's is not_found, like one that never existed. */
export async function ownDelivery(em: EntityManager, operatorId: string, deliveryId: string): Promise<Delivery> {
  const [row] = hasIdForm('dlv', deliveryId) ? await sql<DeliveryRow>(em, ownSql, [deliveryId, operatorId]) : [];
  if (!row) throw new DomainError('not_found', { detail: 'There is no such delivery.' });
  return deliveryOf(row);
}

/** By webhook_delivery_replay. */
const replaysSql = `
select ${deliveryColumns} from webhook_delivery d ${eventOfDelivery}
 where d.event_id = $1 and d.endpoint_number = $2 and d.replay_of is not null and d.number > $3 order by d.number limit 100`;

/** Every later replay of a delivery's event to the same endpoint, oldest first. */
export async function replaysOf(em: EntityManager, { number, event, endpointNumber }: Delivery): Promise<Delivery[]> {
  return (await sql<DeliveryRow>(em, replaysSql, [event.id, endpointNumber, number])).map(deliveryOf);
}
