import { integrationFacts, phaseFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { type Integration, wasEverActive } from './integrationQuery.ts';

export type Environment = 'sandbox' | 'production';

export type Environments = {
  /** The environment that is shown when the address names none. */
  readonly usual: Environment;
  /** Whether there are two to choose from. */
  readonly several: boolean;
};

type Shown = Pick<Integration, 'status'> & {
  readonly latestSteps: readonly Pick<Integration['latestSteps'][number], 'step'>[];
  readonly clients: readonly { readonly environment: Environment }[];
};

/** The environment that an address names, or else the usual one. */
export function shownEnvironment({ usual, several }: Environments, named: string | null): Environment {
  return several && (named === 'sandbox' || named === 'production') ? named : usual;
}

/** Which environments an integration has, and which one its pages show at first: production from its activation on. */
export function environmentsOf({ status, clients, latestSteps }: Shown): Environments {
  const several = clients.some(({ environment }) => environment === 'production');
  const activated = phaseFacts[integrationFacts[status].production].calls === 'yes' || wasEverActive({ latestSteps });
  return { usual: several && activated ? 'production' : 'sandbox', several };
}
