import { useLocation, useSearchParams } from 'react-router';
import { filterNavigation } from './filterNavigation.ts';
import { cursorName, withListAtStart, type ListState } from './listAddress.ts';

type Filters<Name extends string> = Readonly<Record<Name, string>>;

/**
 * Filters of a list that stand in the address, so that it can be kept and sent; '' where one is not set. Whatever narrows the list
 * leads back to its first page. Nothing personal belongs here: addresses end in histories and logs. What else is in
 * the address, or kept out of it by `useSearch`, stays as it is. `list` is as `usePagination` names it; null for what narrows no list.
 */
export function useUrlFilters<Name extends string>(
  names: readonly Name[],
  list: string | null = '',
): [Filters<Name>, (changes: Partial<Filters<Name>>) => void] {
  const [search, setSearch] = useSearchParams();
  const state = (useLocation().state ?? {}) as ListState;
  const filters = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Filters<Name>;
  const change = (changes: Partial<Filters<Name>>) => {
    const next = new URLSearchParams(search);
    if (list !== null) next.delete(cursorName(list));
    for (const [name, value] of Object.entries({ ...filters, ...changes }) as [string, string][]) {
      next.delete(name);
      if (value !== '') next.set(name, value);
    }
    setSearch(next, { ...filterNavigation, state: list === null ? state : withListAtStart(state, list) });
  };
  return [filters, change];
}
