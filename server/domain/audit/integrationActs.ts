import { namesOf } from '../shared/lifecycle.ts';
import { integrationActFacts } from './integrationActFacts.ts';

export type IntegrationAct = keyof typeof integrationActFacts;

/** The entries about an integration of which this holds. */
export function integrationActsThat(holds: (facts: (typeof integrationActFacts)[IntegrationAct]) => boolean): readonly IntegrationAct[] {
  return namesOf(integrationActFacts).filter((act) => holds(integrationActFacts[act]));
}
