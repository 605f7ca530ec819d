import { useLocation, useNavigate } from 'react-router';
import { filterNavigation } from './filterNavigation.ts';

/**
 * What is searched for in a list whose other filters stand in the address: it stands there too (`search`), unless it holds an e-mail
 * address, which is kept in the history's state alone. A new search begins at the first page.
 */
export function useSearch(): [string, (search: string) => void] {
  const { search: query, state } = useLocation() as { search: string; state: { search?: string } | null };
  const navigate = useNavigate();
  const parameters = new URLSearchParams(query);
  const change = (search: string) => {
    const next = new URLSearchParams(query);
    for (const name of ['search', 'after', 'integrationsAfter']) next.delete(name);
    const personal = search.includes('@');
    if (search !== '' && !personal) next.set('search', search);
    void navigate({ search: next.toString() }, { ...filterNavigation, replace: true, state: personal ? { search } : null });
  };
  return [state?.search ?? parameters.get('search') ?? '', change];
}
