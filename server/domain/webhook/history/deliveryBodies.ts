import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../shared/sql.ts';
import { readDeliveryNow } from '../delivery/dueDeliveries.ts';
import { deliveryEnvelope } from '../envelope.ts';

/** A body, byte for byte, with its SHA-256 in base64. */
type DeliveryBody = { readonly text: string; readonly sha256: string; readonly revision: string | null };

/** Bodies that are made again, because those that were sent are not kept. Null where one cannot be made. */
export type DeliveryBodies = {
  /** With references only: every attempt that enclosed no snapshot had exactly this body. */
  readonly notification: DeliveryBody | null;
  /** With the snapshot that would be sent now. Null unless one would be. */
  readonly now: DeliveryBody | null;
};

/**
 * Makes the bodies of a delivery again, from its event and by the check that precedes an attempt, so that nobody is shown what would not be
 * sent to them. `source` is the origin of the machine API.
 */
export async function deliveryBodies(em: EntityManager, { number, source }: { number: number; source: string }): Promise<DeliveryBodies> {
  const delivery = await readDeliveryNow((text, parameters) => sql(em, text, parameters), number);
  // Once a sandbox has been regenerated, the deadline of a revocation has gone.
  if (!delivery || (delivery.event.revocationId && !delivery.event.deletionDeadlineAt)) return { notification: null, now: null };
  const { event, endpoint, snapshot, discard, hold, revision } = delivery;
  const facts = { event, source, environment: endpoint.environment };
  return {
    notification: bodyOf(deliveryEnvelope(facts), null),
    now: snapshot && discard === null && hold === null ? bodyOf(deliveryEnvelope({ ...facts, snapshot }), revision) : null,
  };
}

const bodyOf = (text: string, revision: string | null): DeliveryBody => ({ text, sha256: hash('sha256', text, 'base64'), revision });
