import { environments } from '../shared/environment.ts';
import { namesOf } from '../shared/lifecycle.ts';
import type { AttentionKind } from '../notification/words/attentionKinds.ts';
import { allNeeds } from './attentionOf.ts';
import type { IntegrationFacts } from './facts/IntegrationFacts.ts';
import type { HealthLevel } from './findings/findingTypes.ts';
import { healthLevelOf } from './healthOf.ts';

/** From what says most about an integration to what says least; a table, so that it has every level. */
const tellingOrder = namesOf<HealthLevel>({
  retired: true,
  suspended: true,
  failing: true,
  attention: true,
  settingUp: true,
  healthy: true,
  new: true,
});

/** How an integration is as a whole: as in the environment that says most. */
export function overallHealth(facts: IntegrationFacts): HealthLevel {
  const levels = new Set(environments.map((environment) => healthLevelOf(facts, environment)));
  return tellingOrder.find((level) => levels.has(level)) ?? 'new';
}

/** Which integrations are wanted: of this health as a whole, and with this need. */
export type Wanted = { readonly health?: HealthLevel | null | undefined; readonly need?: AttentionKind | null | undefined };

export function isWanted(facts: IntegrationFacts, { health, need }: Wanted): boolean {
  return (!health || overallHealth(facts) === health) && (!need || allNeeds(facts).some(({ kind }) => kind === need));
}

/** How many of these there are of each health, the gravest first. */
export function healthCounts(facts: readonly IntegrationFacts[]): { readonly level: HealthLevel; readonly count: number }[] {
  const counts = new Map<HealthLevel, number>();
  for (const each of facts) {
    const level = overallHealth(each);
    counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  return tellingOrder.map((level) => ({ level, count: counts.get(level) ?? 0 })).filter(({ count }) => count > 0);
}
