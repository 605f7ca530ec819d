import { roles, type OperatorActor } from '../../shared/actor.ts';
import { mayStart, type Mover } from '../../shared/stateMachine.ts';
import type { Integration } from '../Integration.ts';
import { integrationActions, integrationTransitions, type IntegrationAction } from '../integrationStatus.ts';
import { isOwnerOf } from '../refuseOwn.ts';
import { integrationFacts } from '../integrationFacts.ts';
import { factsIn } from '../../shared/lifecycle.ts';

const actionsOf = (mover: Mover) => integrationActions.filter((action) => integrationTransitions[action].by.some((each) => each === mover));

/**
 * What a person may now do to move an integration to another status, according to the transition table, their roles, and whether they own
 * it. An action can still be refused for other reasons, such as a checklist. Owners neither review nor administer their own integration,
 * and cannot retire it while it is under review.
 */
export function availableActions(
  { status, operatorId }: Pick<Integration, 'status' | 'operatorId'>,
  actor: OperatorActor,
): IntegrationAction[] {
  const owns = isOwnerOf({ operatorId }, actor);
  const theirs = owns
    ? actionsOf('owner').filter((action) => action !== 'retireIntegration' || !factsIn(integrationFacts, status).isInReview)
    : [...roles].filter((role) => actor.roles.includes(role)).flatMap((role) => actionsOf(role));
  return theirs.filter((action) => mayStart(integrationTransitions, action, status));
}
