import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import type { OrderData, Shipping } from '../../tracking/allowlist.ts';
import { ownLiveSandbox } from '../ownSandbox.ts';
import { voyageStatuses } from '../sandboxResources.ts';
import type { SandboxChange } from './advanceSandboxResource.ts';
import { changeFixtures, dataOf, lockFixtures } from './changeFixtures.ts';
import { countSandboxAction } from './countSandboxAction.ts';
import { findFixture } from './findFixture.ts';

type ShippingEvent = NonNullable<Shipping['events']>[number];

type AddSandboxShippingEvent = {
  readonly actor: OperatorActor;
  readonly clientId: string;
  readonly resourceId: string;
  readonly kind: ShippingEvent['kind'];
  /** UN/LOCODE. */
  readonly port: string;
  readonly at: Date;
  readonly estimated: boolean;
  readonly now: Date;
};

/**
 * Reports another event of an order's voyage. It takes its place in the order of time and replaces an estimate of the same kind at the same
 * port. The status stays. Errors: not_found, invalid_request by field, conflict (retired, revoked, not on a voyage, or without
 * shipping.read).
 */
export function addSandboxShippingEvent(em: EntityManager, input: AddSandboxShippingEvent): Promise<SandboxChange[]> {
  const { actor, clientId, resourceId, kind, port, at, estimated, now } = input;
  if (!estimated && at > now) refuseInvalid([{ path: 'input.at', message: 'A time in the future must be marked as estimated.' }]);
  return em.transactional(async (tx) => {
    const client = await ownLiveSandbox(tx, actor, clientId);
    await countSandboxAction(tx, client.number, now);
    const [fixture] = await lockFixtures(tx, client.number, [await findFixture(tx, client.number, resourceId)]);
    if (!client.scopes.includes('shipping.read')) {
      throw new DomainError('conflict', {
        detail: 'This integration does not have the scope shipping.read, so its orders have no shipping data.',
      });
    }
    if (fixture?.type !== 'order') throw new DomainError('conflict', { detail: 'Only orders have shipping events. Choose an order.' });
    const order = dataOf(fixture) as OrderData;
    if (!voyageStatuses.includes(order.status) || !order.shipping) {
      throw new DomainError('conflict', {
        detail: `This order is ${order.status}${voyageStatuses.includes(order.status) ? ' by road' : ''}. Choose one that is in transit by ship.`,
      });
    }
    const events = withEvent(order.shipping.events ?? [], { kind, port, at: at.toISOString(), estimated });
    await record(tx, actor, now, {
      action: 'sandbox_resource.shipping_event_added',
      subject: { type: 'shared_resource', id: resourceId },
      integrationId: client.integrationId,
      details: { kind, estimated },
    });
    const data = { ...order, shipping: { ...order.shipping, events } };
    const moved = await named(() => changeFixtures(tx, { client, changes: [{ fixture, data }], now }));
    return moved.map((share) => ({ ...share, from: order.status, to: order.status }));
  });
}

function withEvent(known: readonly ShippingEvent[], event: ShippingEvent): ShippingEvent[] {
  const kept = known.filter(({ kind, port, estimated }) => !(estimated && kind === event.kind && port === event.port));
  return [...kept, event].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** The allowlist judges the whole order. Whatever it finds in the new event is reported for the input's fields. */
async function named<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error;
    throw new DomainError('invalid_request', {
      fields: error.fields.map(({ path, message }) => {
        const field = /^shipping\.events\[\d+\]\.(\w+)$/.exec(path)?.[1] ?? 'kind';
        return { path: `input.${field}`, message: field === 'kind' ? `The voyage’s events: ${message}` : `The ${field} ${message}.` };
      }),
    });
  }
}
