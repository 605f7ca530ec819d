import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';
import type { OrderData, ResourceType, VehicleData } from '../../tracking/allowlist.ts';
import { seededRandom } from '../generator/seededRandom.ts';
import { advanceableStatuses, cancelOrder, nextOrder, nextVehicle, withdrawVehicle } from '../generator/simulatedSteps.ts';
import { ownLiveSandbox } from '../ownSandbox.ts';
import { changeFixtures, dataOf, lockFixtures, type Fixture, type FixtureChange, type MovedShare } from './changeFixtures.ts';
import { countSandboxAction } from './countSandboxAction.ts';
import { findFixture } from './findFixture.ts';

type AdvanceSandboxResource = {
  readonly actor: OperatorActor;
  readonly clientId: string;
  /** `ord_…` or `veh_…`. If null, any `count` of resources that have a next step. */
  readonly resourceId: string | null;
  readonly count: number;
  /** The type of resources that are not chosen by ID. If null, both types. */
  readonly type: ResourceType | null;
  /** Ends its life instead: an order before production is cancelled, a stock vehicle is withdrawn. */
  readonly ending: boolean;
  readonly now: Date;
};

/** A share of a resource that has moved from one status to another. */
export type SandboxChange = MovedShare & { readonly from: string; readonly to: string };

/** Shared and not at the end of its life (indexes shared_resource_live, tracked_resource_pkey). */
const anyFixturesSql = `
select t.id from tracked_resource t
 where t.synthetic_for = $1 and t.withdrawn_at is null and ($2::text is null or t.type = $2) and t.core::json->>'status' = any($3::text[])
   and exists (select 1 from shared_resource s where s.tracked_resource_id = t.id and s.client_number = $1 and s.revocation_id is null)
 order by random() limit $4`;

/**
 * Moves resources of a sandbox corpus to the next step of their lives, with everything that naturally changes with it, in the same way as
 * real resources change. Returns each share that is affected. Errors: not_found, invalid_request, conflict (retired, revoked, or at its
 * end).
 */
export function advanceSandboxResource(em: EntityManager, input: AdvanceSandboxResource): Promise<SandboxChange[]> {
  const { actor, clientId, resourceId, count, type, ending, now } = input;
  const message = `Choose 1 to ${limits.simulatedResources} resources.`;
  refuseInvalid(count >= 1 && count <= limits.simulatedResources ? [] : [{ path: 'input.count', message }]);
  return em.transactional(async (tx) => {
    const client = await ownLiveSandbox(tx, actor, clientId);
    await countSandboxAction(tx, client.number, now);
    const ids =
      resourceId === null ? await anyFixtures(tx, client.number, { type, count }) : [await findFixture(tx, client.number, resourceId)];
    const fixtures = await lockFixtures(tx, client.number, ids);
    const changes = fixtures.flatMap((fixture) => step(fixture, ending, now));
    if (changes.length === 0) throw new DomainError('conflict', { detail: whyNot(fixtures, resourceId, ending) });
    await record(tx, actor, now, {
      action: 'sandbox_resource.advanced',
      subject: resourceId === null ? { type: 'client', id: client.id } : { type: 'shared_resource', id: resourceId },
      integrationId: client.integrationId,
      details: { resources: changes.length, ending },
    });
    const moved = await changeFixtures(tx, { client, changes, now });
    const statuses = new Map(changes.map(({ fixture, data }) => [fixture.id, { from: dataOf(fixture).status, to: data.status }]));
    return moved.map((share) => ({ ...share, ...(statuses.get(share.trackedResourceId) ?? { from: '', to: '' }) }));
  });
}

async function anyFixtures(
  tx: EntityManager,
  clientNumber: number,
  { type, count }: { type: ResourceType | null; count: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }>(tx, anyFixturesSql, [clientNumber, type, advanceableStatuses, count]);
  return rows.map(({ id }) => id);
}

function step(fixture: Fixture, ending: boolean, now: Date): FixtureChange[] {
  const data = fixture.type === 'order' ? orderStep(fixture, ending, now) : vehicleStep(fixture, ending);
  return data ? [{ fixture, data }] : [];
}

function orderStep(fixture: Fixture, ending: boolean, now: Date): OrderData | null {
  const order = dataOf(fixture) as OrderData;
  return ending ? cancelOrder(order) : nextOrder(order, seededRandom(`${fixture.id}/${fixture.lastSequence}`), now);
}

function vehicleStep(fixture: Fixture, ending: boolean): VehicleData | null {
  const vehicle = dataOf(fixture) as VehicleData;
  return ending ? withdrawVehicle(vehicle) : nextVehicle(vehicle);
}

function whyNot([fixture]: readonly Fixture[], resourceId: string | null, ending: boolean): string {
  if (resourceId === null || !fixture)
    return 'No shared resource in this sandbox can take this step. Redeem another link code, or regenerate the test data.';
  const { status } = dataOf(fixture);
  if (ending && advanceableStatuses.includes(status)) return `This order is ${status}. An order can be cancelled only before production.`;
  return `This ${fixture.type} is ${status}, which is its final status. Choose another one.`;
}
