import { useLocation, useNavigate } from 'react-router';
import { filterNavigation } from './filterNavigation.ts';
import { cursorName, withListAtStart, type ListState } from './listAddress.ts';

type SearchOptions = {
  /** The list that is searched, as `usePagination` names it. */
  list?: string;
  /** Whether every search of this list is for something personal. */
  personal?: boolean;
};

/**
 * What is searched for in a list whose other filters stand in the address: it stands there too (`search`), unless it holds an e-mail
 * address, which is kept in the history's state alone. A new search begins at the first page.
 */
export function useSearch({ list = '', personal = false }: SearchOptions = {}): [string, (search: string) => void] {
  const location = useLocation();
  const navigate = useNavigate();
  const { search: kept, ...state } = (location.state ?? {}) as ListState;
  const parameters = new URLSearchParams(location.search);
  const change = (search: string) => {
    const next = new URLSearchParams(location.search);
    for (const name of ['search', cursorName(list)]) next.delete(name);
    const hidden = personal || search.includes('@');
    if (search !== '' && !hidden) next.set('search', search);
    const nextState = withListAtStart({ ...state, ...(search !== '' && hidden && { search }) }, list);
    void navigate({ search: next.toString() }, { ...filterNavigation, state: nextState });
  };
  return [kept ?? parameters.get('search') ?? '', change];
}
