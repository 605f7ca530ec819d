import { createContext, use, useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { filterNavigation } from '../../ui/lists/filterNavigation.ts';
import { useIsLeaving } from '../../ui/lists/pendingNavigation.ts';
import { shownEnvironment, type Environment, type Environments } from './environmentsOf.ts';

/** The environments of the integration that is shown, from the frame around its tabs. */
export const EnvironmentContext = createContext<Environments>({ usual: 'sandbox', several: false });

/**
 * The environment that the tabs of an integration show, and a way to change it. It stands in the address. Another environment is another
 * client, so every list of the page goes back to its first page and every panel closes.
 */
export function useEnvironment(): [Environment, (environment: Environment) => void] {
  const [search, setSearch] = useSearchParams();
  const environment = shownEnvironment(use(EnvironmentContext), search.get('environment'));
  const change = (chosen: Environment) => setSearch(withEnvironment(search, chosen), filterNavigation);
  return [environment, change];
}

/** Writes the environment into the address where it is missing, so that a link to the page means the same for everybody. */
export function useEnvironmentInAddress({ usual, several }: Environments): void {
  const { search, hash, state } = useLocation();
  const navigate = useNavigate();
  const isLeaving = useIsLeaving();
  const missing = several && new URLSearchParams(search).get('environment') === null;
  useEffect(() => {
    if (!missing || isLeaving()) return;
    const named = new URLSearchParams([['environment', usual], ...new URLSearchParams(search)]);
    void navigate({ search: named.toString(), hash }, { replace: true, preventScrollReset: true, state });
    // Whatever else the address says changes with a navigation of its own.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [missing, usual, isLeaving]);
}

/** What one environment alone has: the place in a list, and the object that is looked at. Filters stay. */
const ofOneEnvironment = /^(after|before|.*After|request|delivery|certificate|revocation|resource|connection|code)$/;

function withEnvironment(search: URLSearchParams, environment: Environment): URLSearchParams {
  const kept = [...search].filter(([name]) => name !== 'environment' && !ofOneEnvironment.test(name));
  return new URLSearchParams([['environment', environment], ...kept]);
}
