import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { integrationFacts, type IntegrationPhase, productionStatuses } from '../../../server/domain/integration/integrationFacts.ts';
import {
  factsOf,
  holdOf,
  holdSql,
  type IntegrationStatus,
  integrationStatuses,
  integrationTransitions,
  isOver,
  isOverSql,
  statusesThat,
  waitsForAdministrator,
  whereFacts,
} from '../../../server/domain/integration/integrationStatus.ts';
import { environments } from '../../../server/domain/shared/environment.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import type { World } from '../../support/world/World.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('statements read the same facts of each status as the code', async () => {
  const place = { row: 'i', environment: 'k.environment' };
  const listed = (values: readonly string[]) => values.map((value) => `('${value}')`).join(', ');
  const rows = await world.rows(`
select i.status, k.environment, ${isOverSql('i')} as over, ${holdSql('i')} as hold, ${whereFacts(({ shares }) => shares, place)} as shares,
       ${whereFacts(({ refusal }) => refusal === 'integration_not_active', place)} as inactive
  from (values ${listed(integrationStatuses)}) i (status) cross join (values ${listed(environments)}) k (environment)`);
  const known = integrationStatuses.flatMap((status) =>
    environments.map((environment) => {
      const { shares, refusal } = factsOf(status, environment);
      return { status, environment, over: isOver(status), hold: holdOf(status), shares, inactive: refusal === 'integration_not_active' };
    }),
  );
  expect(rows).toEqual(expect.arrayContaining(known));
  expect(rows).toHaveLength(known.length);
});

const inProduction = (...phases: IntegrationPhase[]) => statusesThat((status) => phases.includes(integrationFacts[status].production));

test('the gate has an effect in every status after approval and before retirement', () => {
  expect(inProduction('prepared', 'open', 'suspended')).toEqual(productionStatuses);
  expect(inProduction('unapproved', 'over')).toEqual(statusesThat((status) => !(productionStatuses as readonly string[]).includes(status)));
});

/** What a suspension can begin in and does not lead back to, with the reason. */
const forgotten: Partial<Record<IntegrationStatus, string>> = {
  approved: 'the administrator is told that it never was active, and confirms',
};

test('a reactivation leads back to what was suspended, or it is known why not', () => {
  const { suspendIntegration, suspendForMissedDeletion, reactivateIntegration } = integrationTransitions;
  const suspended = new Set<IntegrationStatus>([...suspendIntegration.from, ...suspendForMissedDeletion.from]);
  expect([...suspended].filter((status) => status !== reactivateIntegration.to)).toEqual(Object.keys(forgotten));
});

test('users find in the catalogue only what they can link', () => {
  expect(statusesThat((status) => integrationFacts[status].isListed && !factsOf(status, 'production').shares)).toEqual([]);
});

test('administrators are reminded of each integration that only they can bring back', () => {
  // `suspendedSql` finds them by where this starts from, and the words beside it say “suspended”.
  expect(integrationTransitions.reactivateIntegration.from).toEqual(statusesThat(waitsForAdministrator));
});

test('whatever production does can be suspended, a missed deletion suspends what the facts say, a withdrawal leads back to where submissions come from, and whatever is not over can be retired', () => {
  const from = (transition: keyof typeof integrationTransitions) =>
    integrationStatuses.filter((status) => (integrationTransitions[transition].from as readonly string[]).includes(status));
  const answered = statusesThat((status) => factsOf(status, 'production').refusal === null);
  expect(answered.filter((status) => !from('suspendForMissedDeletion').includes(status))).toEqual([]);
  expect(from('suspendForMissedDeletion')).toEqual(statusesThat((status) => factsOf(status, 'production').missedDeletionSuspends));
  const suspendable = from('suspendIntegration');
  expect(statusesThat((status) => factsOf(status, 'production').isUnderWay && !suspendable.includes(status))).toEqual([]);
  expect(suspendable.filter((status) => holdOf(status) === integrationFacts.suspended.holds || isOver(status))).toEqual([]);
  expect(integrationTransitions.withdrawSubmission.to).toEqual(from('submitForReview'));
  expect(from('retireIntegration')).toEqual(statusesThat((status) => !isOver(status)));
});

test('production that is answered was refused before, because its owner is told that it is open since the last change of its status', () => {
  const answers = (status: IntegrationStatus) => factsOf(status, 'production').calls === 'yes';
  const goesOn = Object.entries(integrationTransitions).flatMap(([action, { from, to }]) => {
    const targets: readonly IntegrationStatus[] = [to].flat();
    return from.some(answers) && targets.some(answers) ? [`${action}: openSince.ts has to know since when`] : [];
  });
  expect(goesOn).toEqual([]);
});
