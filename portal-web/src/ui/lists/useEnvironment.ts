import { useSearchParams } from 'react-router';
import { filterNavigation } from './filterNavigation.ts';

type Environment = 'sandbox' | 'production';

/**
 * The environment that a page shows, kept in its address; the sandbox when nothing else is said. Another environment is another client, so
 * every list of the page goes back to its first page.
 */
export function useEnvironment(): [Environment, (environment: Environment) => void] {
  const [search, setSearch] = useSearchParams();
  const change = (environment: Environment) => {
    const kept = [...search].filter(([name]) => name !== 'environment' && !/^(after|.*After)$/.test(name));
    setSearch([...(environment === 'production' ? [['environment', environment] as [string, string]] : []), ...kept], filterNavigation);
  };
  return [search.get('environment') === 'production' ? 'production' : 'sandbox', change];
}
